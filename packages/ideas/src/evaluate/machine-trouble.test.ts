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
  assert.equal(named(new GitError(["add"], 128, "fatal: bad object")), "GitError");
  assert.equal(named(Object.assign(new Error("x"), { code: "ENOENT" })), "Error");
  assert.equal(named(new StepFailed("StepFailed", "test ended with exit code 1", { step: "test" })), "StepFailed");
});
