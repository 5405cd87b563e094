import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import {
  assertRefused,
  coppice,
  document,
  ended,
  launchShell,
  SQUARES,
  temporaryDirectory,
} from "../../test/coppice.ts";

const LEAKING = fileURLToPath(new URL("../../test/modules/leaking.ts", import.meta.url));

describe("a run with few file descriptors", { concurrency: 2 }, () => {
  for (const pool of ["threads", "processes"]) {
    it(`is refused in one line that says how many workers there can be (${pool})`, async (t) => {
      const place = temporaryDirectory(t);
      const args = ["run", SQUARES, "--run-dir", "runs", "--pool", pool, "--workers", "16"];
      const refused = await ended(launchShell(place, 'ulimit -n 64; exec "$0" "$@"', args, t));
      assertRefused(
        refused,
        /not enough file descriptors for 16 workers: this process may have 64 open; use at most 4/,
      );
      assert.deepEqual(readdirSync(place), []);
    });
  }

  it("stops when none is left for a new worker, and can be resumed", async (t) => {
    if (spawnSync("prlimit", ["--version"]).status !== 0) return t.skip("there is no prlimit(1) here");
    const place = temporaryDirectory(t);
    const options = ["--run-dir", "runs", "--workers", "2", "--option", "count=20"];
    const line = 'LEAK=yes exec "$0" "$@"';
    const { code, stderr } = await ended(launchShell(place, line, ["run", LEAKING, ...options], t));
    assert.match(
      stderr,
      /run 1 failed: there are not enough file descriptors for 2 workers: .*; continue it with: coppice resume 1 /,
    );
    assert.doesNotMatch(stderr, /\n\s+at /);
    assert.equal(code, 1);
    const resumed = document(await coppice(place, ["resume", "1", "--run-dir", "runs", "--json"]));
    const straight = document(await coppice(place, ["run", SQUARES, "--json", "--option", "count=20"]));
    assert.equal(resumed.digest, straight.digest);
    assert.ok(readdirSync(join(place, "runs", "1")).includes("result.json"));
  });
});
