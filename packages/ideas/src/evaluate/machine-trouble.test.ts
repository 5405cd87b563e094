import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { GitError } from "../git/run-git.ts";
import { StepFailed } from "../steps/reported-cost.ts";
import { blame } from "./machine-trouble.ts";

test("a full disk, exhausted handles or memory are the machine's fault; what a step did is its own", () => {
  const named = (error: unknown) => (blame(error, tmpdir()) as Error).name;
  for (const code of ["ENOSPC", "EDQUOT", "EFBIG", "EMFILE"]) {
    assert.equal(named(Object.assign(new Error("x"), { code })), "MachineTrouble");
  }
  assert.equal(named(new GitError(["add"], 128, "fatal: No space left on device")), "MachineTrouble");
  assert.equal(
    named(new GitError(["x"], 128, "Unable to create '/r/.git/packed-refs.lock': File exists.")),
    "MachineTrouble",
  );
  const troubles = [
    "error: index.lock write error. Out of diskspace",
    "fatal: unable to write new index file",
    "error: wrote only 512 of 4096 bytes to file .git/objects/ab",
    "fatal: write error: No space left on device; adding files failed",
    "error: unable to create temporary file: Read-only file system",
    "fatal: bad object HEAD",
    "error: cannot fork() for rev-list: Cannot allocate memory",
  ];
  for (const said of troubles) assert.equal(named(new GitError(["add"], 128, said)), "MachineTrouble", said);
  const spoilt = [
    'error: open("secret"): Permission denied\nfatal: adding files failed',
    "fatal: not a git repository",
  ];
  for (const said of spoilt) assert.equal(named(new GitError(["add"], 128, said)), "GitError", said);
  const killed = { step: "test", signal: "SIGKILL", outOfMemory: true } as const;
  assert.equal(named(new StepFailed("StepFailed", "test was ended by SIGKILL", killed)), "MachineTrouble");
  assert.equal(named(Object.assign(new Error("x"), { code: "ENOENT" })), "Error");
  assert.equal(named(new StepFailed("StepFailed", "test ended with exit code 1", { step: "test" })), "StepFailed");
});
