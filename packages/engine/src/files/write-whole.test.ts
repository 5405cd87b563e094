import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { writeDurably } from "./write-whole.ts";

describe("writing a file whole", () => {
  for (const write of [writeDurably]) {
    it(`${write.name} replaces the content, sets the mode that was asked for and leaves no draft`, () => {
      const folder = mkdtempSync(join(tmpdir(), "coppice-files-"));
      try {
        const path = join(folder, "a.txt");
        writeFileSync(path, "a longer text from before");
        write(path, "new");
        assert.equal(readFileSync(path, "utf8"), "new");
        write(path, new Uint8Array([0, 255]), 0o664);
        assert.deepEqual([...readFileSync(path)], [0, 255]);
        assert.equal(statSync(path).mode & 0o777, 0o664);
        // A file that nobody may write can still be replaced.
        write(path, "kept", 0o444);
        write(path, "kept again", 0o444);
        assert.equal(readFileSync(path, "utf8"), "kept again");
        assert.deepEqual(readdirSync(folder), ["a.txt"]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

    it(`${write.name} leaves the old content and no draft when it cannot put the new one in place`, () => {
      const folder = mkdtempSync(join(tmpdir(), "coppice-files-"));
      try {
        assert.throws(() => write(join(folder, "missing", "a.txt"), "x"), { code: "ENOENT" });
        // A folder cannot be replaced by a file.
        assert.throws(() => write(folder, "x"), /E(ISDIR|PERM|EXIST|NOTEMPTY)/);
        assert.deepEqual(
          readdirSync(tmpdir()).filter((name) => join(tmpdir(), name).startsWith(`${folder}.`)),
          [],
        );
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }
});
