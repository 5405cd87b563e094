import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { mendRepository } from "./mend-repository.ts";

describe("a repository after a power cut", () => {
  it("loses what is broken of the run's own, and nothing of anybody else's", () => {
    const place = realpathSync(mkdtempSync(join(tmpdir(), "coppice-mend-")));
    try {
      const git = (...args: string[]) =>
        execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], {
          cwd: place,
          stdio: "pipe",
        });
      git("init", "--quiet", "--initial-branch=main");
      git("commit", "--quiet", "--allow-empty", "--message", "Begin");
      const run = join(place, "runs", "r");
      mkdirSync(run, { recursive: true });
      for (const name of ["whole", "broken", "torn"]) git("worktree", "add", "--quiet", "--detach", join(run, name));
      for (const name of ["users", "unmounted", "damaged"])
        git("worktree", "add", "--quiet", "--detach", join(place, name));
      rmSync(join(place, "unmounted"), { recursive: true });
      const records = join(place, ".git", "worktrees");
      truncateSync(join(records, "broken", "commondir"));
      truncateSync(join(records, "torn", "commondir"));
      truncateSync(join(records, "torn", "gitdir"), 7);
      truncateSync(join(records, "damaged", "commondir")); // a user's own that is there: theirs to mend
      for (const name of ["tree/r/n0001", "tree/r/n0002", "tree/other/n0001"]) git("branch", name);
      const refs = join(place, ".git", "refs", "heads", "tree");
      truncateSync(join(refs, "r", "n0002"));
      writeFileSync(join(refs, "r", "n0003.lock"), "");
      writeFileSync(join(refs, "other", "n0002.lock"), "");
      mendRepository(join(place, ".git"), run, "r");
      assert.deepEqual(readdirSync(records).sort(), ["damaged", "unmounted", "users", "whole"]);
      assert.deepEqual(readdirSync(join(refs, "r")), ["n0001"]);
      assert.deepEqual(readdirSync(join(refs, "other")).sort(), ["n0001", "n0002.lock"]);
      rmSync(join(records, "damaged"), { recursive: true });
      git("worktree", "add", "--quiet", "--detach", join(run, "again"));
      assert.ok(existsSync(join(run, "again", ".git")));
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });
});
