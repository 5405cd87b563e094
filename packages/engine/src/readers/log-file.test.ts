import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createReadStream, mkdtempSync, rmSync } from "node:fs";
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
      const file = new LogFile(path);
      const line = "x".repeat(1000);
      for (let written = 0; written < 12 * MEGABYTE; written += line.length) file.say("info", 0, {}, line);
      let read = 0;
      const reader = createReadStream(path);
      reader.on("data", (chunk) => {
        read += chunk.length;
      });
      await Promise.all([once(reader, "close"), file.close()]);
      assert.ok(read > 3 * MEGABYTE && read < 5 * MEGABYTE, `${read} bytes`);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
