import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  createReadStream,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { LogFile } from "./run-logs.ts";

const MEGABYTE = 1024 * 1024;

describe("a log file", () => {
  it("drops lines rather than hold more than a few megabytes for a disk that does not take them", async (test) => {
    const directory = mkdtempSync(join(tmpdir(), "coppice-log-"));
    try {
      // Nobody reads this pipe yet: whatever is written waits.
      const path = join(directory, "slow.log");
      try {
        execFileSync("mkfifo", [path]);
      } catch {
        test.skip("there is no mkfifo here");
        return;
      }
      const held = openSync(path, "r+"); // a pipe can only be opened to write while somebody has it open to read
      const file = new LogFile(path);
      const line = "x".repeat(1000);
      for (let written = 0; written < 12 * MEGABYTE; written += line.length) file.say("info", 0, {}, line);
      let read = 0;
      const reader = createReadStream(path);
      reader.once("open", () => closeSync(held));
      let end = "";
      reader.on("data", (chunk) => {
        read += chunk.length;
        end = (end + chunk).slice(-300);
      });
      await Promise.all([once(reader, "close"), file.close()]);
      assert.ok(read > 3 * MEGABYTE && read < 5 * MEGABYTE, `${read} bytes`);
      assert.match(end, /the disk did not keep up: \d+ lines are missing here/);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });

  it("keeps the last part of what was said, in two files, and says how much is gone", async () => {
    const directory = mkdtempSync(join(tmpdir(), "coppice-log-"));
    try {
      const path = join(directory, "worker-0.log");
      const most = 20_000;
      const sizes: number[] = [];
      for (let session = 0; session < 3; session++) {
        const file = new LogFile(path, most);
        for (let n = 0; n < 300; n++) file.say("info", 0, { n }, "x".repeat(100));
        await file.close();
        sizes.push(...readdirSync(directory).map((name) => statSync(join(directory, name)).size));
      }
      assert.deepEqual(readdirSync(directory).sort(), ["worker-0.earlier.log", "worker-0.log"]);
      assert.ok(
        sizes.every((size) => size <= most),
        `${sizes}`,
      );
      const [first] = readFileSync(path, "utf8").split("\n");
      const { msg, cutBytes } = JSON.parse(first) as { msg: string; cutBytes: number };
      assert.match(msg, /^what comes before is in worker-0\.earlier\.log; \d+ bytes before those were cut$/);
      assert.ok(cutBytes >= most / 2);
      const kept = ["worker-0.earlier.log", "worker-0.log"].flatMap((name) =>
        readFileSync(join(directory, name), "utf8").split("\n").filter(Boolean),
      );
      const numbers = kept.map((line) => (JSON.parse(line) as { n?: number }).n).filter((n) => n !== undefined);
      assert.equal(numbers.at(-1), 299, "the last words are there");
      for (let at = 1; at < numbers.length; at++) assert.equal(numbers[at], (numbers[at - 1] + 1) % 300);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
