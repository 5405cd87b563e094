import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SmallRepository } from "../../test/small-repository.ts";
import { excludeFolder, openRepository, refuseTakenName } from "./repository.ts";

const clean = { clean: true };

test("a clean repository on a branch is opened by any folder in it, also when its path has blanks", async () => {
  using repository = new SmallRepository({ "deep/value.txt": "1" });
  const opened = await openRepository(join(repository.path, "deep"), clean);
  assert.deepEqual(opened, {
    root: repository.path,
    gitDirectory: join(repository.path, ".git"),
    commit: repository.head,
  });
});

test("what is no repository, a bare one, or one without a commit is refused in one line", async () => {
  using repository = new SmallRepository();
  await assert.rejects(
    openRepository(repository.folder, clean),
    /is not a git repository: give the folder of a repository/,
  );
  await assert.rejects(openRepository(join(repository.folder, "gone"), clean), /is not a git repository/);
  repository.git("clone", "--quiet", "--bare", ".", "../bare");
  await assert.rejects(openRepository(join(repository.folder, "bare"), clean), /is a bare repository/);
  repository.git("init", "--quiet", "../fresh");
  await assert.rejects(openRepository(join(repository.folder, "fresh"), clean), /has no commit yet/);
});

test("uncommitted changes are refused by name, but a resumed run does not mind", async () => {
  using repository = new SmallRepository();
  repository.write("new\nfile.txt", "x");
  repository.write("value.txt", "2");
  await assert.rejects(openRepository(repository.path, clean), /uncommitted changes \("value.txt", "new\\nfile.txt"\)/);
  assert.equal((await openRepository(repository.path, { clean: false })).commit, repository.head);
});

test("a detached HEAD is as good as a branch; a branch where the run's own would have to be is refused by name", async () => {
  using repository = new SmallRepository();
  repository.git("checkout", "--quiet", "--detach");
  assert.equal((await openRepository(repository.path, clean)).commit, repository.head);
  repository.git("branch", "tree/1");
  await assert.rejects(refuseTakenName(repository.path, "1"), /has a branch tree\/1, .*: name this run with --id$/);
  await refuseTakenName(repository.path, "2");
  repository.git("branch", "-m", "tree/1", "tree");
  await assert.rejects(refuseTakenName(repository.path, "2"), /has a branch tree, .*: rename it/);
});

test("git variables of a caller do not lead to another repository", async () => {
  using repository = new SmallRepository();
  using other = new SmallRepository({ "other.txt": "x" });
  process.env.GIT_DIR = join(other.path, ".git");
  try {
    assert.equal((await openRepository(repository.path, clean)).root, repository.path);
  } finally {
    delete process.env.GIT_DIR;
  }
});

test("a runs folder inside the repository is excluded once and keeps it clean", async () => {
  using repository = new SmallRepository();
  const runs = join(repository.path, "my [runs] ");
  mkdirSync(runs);
  writeFileSync(join(runs, "journal"), "x");
  const gitDirectory = join(repository.path, ".git");
  await assert.rejects(openRepository(repository.path, clean), /uncommitted/);
  assert.equal(excludeFolder(repository.path, gitDirectory, runs), true);
  assert.equal(excludeFolder(repository.path, gitDirectory, runs), false);
  await openRepository(repository.path, clean);
  assert.equal(excludeFolder(repository.path, gitDirectory, repository.folder), false);
  assert.equal(readFileSync(join(gitDirectory, "info/exclude"), "utf8").split("my ").length, 2);
});
