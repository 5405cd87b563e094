import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { TemporaryProject } from "../test/temporary-project.ts";
import { lockSession } from "./run/session-lock.ts";
import { appendToState, makeStateDirectory, stateDirectory } from "./state-directory.ts";
import { appendRecords, type EventRecord } from "./timing/timing-records.ts";

const record: EventRecord = {
  kind: "event",
  ts: Date.UTC(2026, 10, 16),
  run: "r",
  session: "s",
  event: "Stop",
  hooks: 0,
  stages: 0,
  elapsed_ms: 0,
  critical_path_ms: 0,
  serial_sum_ms: 0,
  saved_ms: 0,
};

/** A project whose state leads, at one place, to a folder or file of the user's that has nothing to do with it. */
function planted(project: TemporaryProject, place: string, target: string): string {
  const state = stateDirectory(project.dir);
  const link = join(state, place);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(target, link);
  return state;
}

describe("the state directory of a repository that brings symbolic links along", () => {
  it("is not written where they lead, and says why", async () => {
    for (const place of [".", ".."]) {
      using project = new TemporaryProject();
      const elsewhere = join(project.dir, "elsewhere");
      mkdirSync(join(elsewhere, "hooks"), { recursive: true });
      const state = planted(project, place, elsewhere);
      assert.match(appendRecords(state, [record]) ?? "", /is a symbolic link/);
      assert.throws(() => makeStateDirectory(state), /is a symbolic link/);
      const lock = await lockSession(state, "s", 0);
      assert.ok(!lock.held && /is a symbolic link/.test(lock.because));
      assert.deepEqual(readdirSync(elsewhere), ["hooks"]);
      assert.deepEqual(readdirSync(join(elsewhere, "hooks")), []);
    }
  });

  it("leaves the file alone that a log or a folder of locks leads to", async () => {
    using project = new TemporaryProject();
    const precious = join(project.dir, "precious");
    writeFileSync(precious, "mine\n");
    const state = planted(project, "timing-2026-11-16.jsonl", precious);
    assert.match(appendRecords(state, [record]) ?? "", /ELOOP|symbolic link/);
    symlinkSync(precious, join(state, "background.log"));
    assert.throws(() => appendToState(state, "background.log", "x"), /ELOOP|symbolic link/);
    assert.equal(readFileSync(precious, "utf8"), "mine\n");
    const folder = join(project.dir, "folder");
    mkdirSync(folder);
    symlinkSync(folder, join(state, "locks"));
    assert.equal((await lockSession(state, "s", 0)).held, false);
    assert.deepEqual(readdirSync(folder), []);
    symlinkSync(join(project.dir, "new-file"), join(state, ".gitignore"));
    assert.throws(() => makeStateDirectory(state), /EEXIST/);
    assert.equal(existsSync(join(project.dir, "new-file")), false);
  });
});
