import assert from "node:assert/strict";
import { chmodSync, globSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { coppice, file, SQUARES, temporaryDirectory } from "../../test/coppice.ts";

/** What others may do, of every file and folder below a place, by path. */
function openToOthers(place: string): readonly string[] {
  return [".", ...globSync("**", { cwd: place })].filter((path) => (statSync(join(place, path)).mode & 0o077) !== 0);
}

describe("prompts and answers on disk", { concurrency: 1 }, () => {
  it("are for their user alone: run directories, caches and recordings of whoever asks models", async (t) => {
    const place = temporaryDirectory(t);
    chmodSync(place, 0o755);
    file(place, "long.txt", "line\n".repeat(50));
    const runs = join(place, ".coppice", "runs");
    for (const line of [
      ["ask", "--demo", "--quiet", "--id", "ask", "--cache", "--record", "answers.ndjson", "a secret"],
      ["council", "--demo", "--quiet", "--id", "council", "a secret"],
      ["swarm", "--demo", "--quiet", "--id", "swarm", "--analyze", "a secret"],
      ["digest", "--demo", "--quiet", "--id", "digest", "--question", "a secret", "long.txt"],
    ]) {
      const { code, stderr } = await coppice(place, line);
      assert.equal(code, 0, `${line[0]}: ${stderr}`);
      assert.deepEqual(openToOthers(join(runs, line[0])), [], line[0]);
      assert.ok(globSync("**", { cwd: join(runs, line[0]) }).length > 4);
    }
    for (const path of ["answers.ndjson", ".coppice/cache.sqlite"]) {
      assert.equal(statSync(join(place, path)).mode & 0o077, 0, path);
    }
    // An older run, readable by all, is closed when it is worked on again.
    chmodSync(join(runs, "ask"), 0o755);
    await coppice(place, ["resume", "ask", "--quiet"]);
    assert.equal(statSync(join(runs, "ask")).mode & 0o077, 0);
  });

  it("leave runs that ask nobody as the user's umask has them", async (t) => {
    const place = temporaryDirectory(t);
    await coppice(place, ["run", SQUARES, "--quiet", "--workers", "1"]);
    assert.notEqual(statSync(join(place, ".coppice", "runs", "1")).mode & 0o077, 0);
  });
});
