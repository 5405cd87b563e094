import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { SmallRepository } from "../../test/small-repository.ts";
import { mendRepository } from "./mend-repository.ts";
import { branchCommit } from "./refs.ts";
import { fillWorktree, registerWorktree, removeWorktree, type WorktreePlace } from "./worktree.ts";

describe("a repository after a power cut", () => {
  it("loses what is broken of the run's own, and nothing of anybody else's", async () => {
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
      await mendRepository(join(place, ".git"), run, "r");
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

  /** What a disk may have of a file that was not synced. */
  const tears: Readonly<Record<string, (whole: Buffer) => Buffer | undefined>> = {
    empty: () => Buffer.alloc(0),
    "cut in half": (whole) => whole.subarray(0, whole.length / 2),
    zeros: (whole) => Buffer.alloc(whole.length),
    missing: () => undefined,
  };

  it("is one that git works in, whatever is torn of a worktree or of all of it, ours or another run's", async () => {
    using repository = new SmallRepository();
    const gitDirectory = join(repository.path, ".git");
    const run = join(repository.folder, "runs", "r");
    const place = { repository: repository.path, gitDirectory, path: join(run, "cand", "0000") };
    const other = { ...place, path: join(repository.folder, "runs", "other", "0000") };
    for (const each of [place, other]) {
      await registerWorktree(each, repository.head);
      await fillWorktree(each.path);
    }
    const records = join(gitDirectory, "worktrees");
    assert.deepEqual(readdirSync(records), ["0000", "00001"]);
    const kept = join(repository.folder, "kept");
    cpSync(records, kept, { recursive: true });
    // What is left of `gitdir` may name a folder that is there.
    const parts = run.split("/").slice(1);
    const above = parts.map((_, index) => `/${parts.slice(0, index).join("/")}`);
    const cases = [
      ...FILES.flatMap((file) => Object.entries(tears).map(([how, tear]) => ({ how, torn: { [file]: tear } }))),
      ...Object.entries(tears).map(([how, tear]) => ({
        how,
        torn: Object.fromEntries(FILES.map((file) => [file, tear])),
      })),
      ...above.map((folder) => ({ how: folder, torn: { gitdir: () => Buffer.from(folder), commondir: tears.empty } })),
    ];
    for (const record of ["0000", "00001"]) {
      for (const { how, torn } of record === "0000" ? cases : cases.filter(({ torn }) => "commondir" in torn)) {
        const what = `${Object.keys(torn).join(", ")} of ${record}: ${how}`;
        rmSync(records, { recursive: true, force: true });
        cpSync(kept, records, { recursive: true });
        for (const [name, tear] of Object.entries(torn)) {
          const path = join(records, record, name);
          const left = tear(readFileSync(path));
          if (left === undefined) rmSync(path);
          else writeFileSync(path, left);
        }
        await mendRepository(gitDirectory, run, "r");
        await assert.doesNotReject(branchCommit(repository.path, "main"), what);
        // A record without a place and without files is nobody's.
        const isNobodys = record === "00001" && "gitdir" in torn && "index" in torn && how === "missing";
        assert.equal(existsSync(join(records, "00001")), !isNobodys, what);
        if (record === "0000") await assert.doesNotReject(makeAgain(place, repository.head), what);
      }
    }
  });
});

const FILES = ["commondir", "gitdir", "HEAD", "index", "ORIG_HEAD", "logs/HEAD"];

async function makeAgain(place: WorktreePlace, commit: string): Promise<void> {
  await removeWorktree(place);
  await registerWorktree(place, commit);
  await fillWorktree(place.path);
}
