import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SmallRepository } from "../../test/small-repository.ts";
import { commitChange, NestedRepository, takeChange } from "./candidate-commit.ts";

test("B20: a commit holds what is not ignored, new files included, and nothing of the repository's temporary junk", async () => {
  using repository = new SmallRepository({ "value.txt": "1\n", ".gitignore": "*.log\ntmp/\n" });
  const base = repository.head;
  repository.write("value.txt", "2\n");
  repository.write("new file.txt", "n\n");
  repository.write("run.log", "junk");
  repository.write("tmp/cache", "junk");
  const change = await takeChange(repository.path, base);
  assert.equal(change.empty, false);
  const commit = await commitChange(repository.path, base, "Apply x.md");
  assert.deepEqual(repository.git("ls-tree", "-r", "--name-only", commit).split("\n").sort(), [
    ".gitignore",
    "new file.txt",
    "value.txt",
  ]);
  assert.match(change.diff, /^diff --git a\/new file\.txt b\/new file\.txt\nnew file mode 100644\n/);
  assert.match(change.diff, /^\+2$/m);
});

test("the same change to the same commit is the same commit, whoever makes it and whenever", async () => {
  using repository = new SmallRepository();
  const base = repository.head;
  repository.write("value.txt", "2\n");
  await takeChange(repository.path, base);
  const first = await commitChange(repository.path, base, "Apply x.md");
  repository.git("config", "user.name", "Somebody Else");
  assert.equal(await commitChange(repository.path, base, "Apply x.md"), first);
});

test("a change of nothing is empty, also when a step committed something and took it back", async () => {
  using repository = new SmallRepository();
  const base = repository.head;
  assert.equal((await takeChange(repository.path, base)).empty, true);
  repository.write("value.txt", "2\n");
  repository.commit("Two");
  assert.equal((await takeChange(repository.path, base)).empty, false);
  repository.write("value.txt", "1\n");
  repository.commit("One again");
  assert.equal((await takeChange(repository.path, base)).empty, true);
});

test("an idea's name may hold anything: the commit's title is one line", async () => {
  using repository = new SmallRepository();
  const base = repository.head;
  repository.write("value.txt", "2\n");
  await takeChange(repository.path, base);
  const commit = await commitChange(repository.path, base, "Apply --x\n../ü$(touch hacked).md");
  assert.equal(repository.git("show", "--no-patch", "--format=%B", commit), "Apply --x ../ü$(touch hacked).md");
});

test("a repository inside the worktree is refused instead of becoming a reference to nothing", async () => {
  using repository = new SmallRepository();
  const base = repository.head;
  const inner = join(repository.path, "inner");
  mkdirSync(inner);
  repository.git("init", "--quiet", "inner");
  writeFileSync(join(inner, "x"), "x");
  repository.git("-C", "inner", "add", "x");
  repository.git("-C", "inner", "-c", "user.name=x", "-c", "user.email=x", "commit", "--quiet", "-m", "x");
  await assert.rejects(takeChange(repository.path, base), NestedRepository);
  const had = repository.commit("With a repository in it");
  repository.git(
    "-C",
    "inner",
    "-c",
    "user.name=x",
    "-c",
    "user.email=x",
    "commit",
    "--quiet",
    "--allow-empty",
    "-m",
    "y",
  );
  await assert.rejects(takeChange(repository.path, had), /the submodule inner is at another commit/);
});

test("a link that leads out of the worktree is refused, also over a link that stays inside", async () => {
  using repository = new SmallRepository({ "value.txt": "1\n", "a/b/value.txt": "1\n" });
  const base = repository.head;
  symlinkSync("../value.txt", join(repository.path, "a/near"));
  symlinkSync("../..", join(repository.path, "a/b/top"));
  assert.equal((await takeChange(repository.path, base)).empty, false);
  symlinkSync("a/b/top/../elsewhere", join(repository.path, "far"));
  mkdirSync(join(repository.folder, "elsewhere"));
  await assert.rejects(takeChange(repository.path, base), { name: "LinkOutside" });
  rmSync(join(repository.path, "far"));
  symlinkSync("/etc/hosts", join(repository.path, "far"));
  await assert.rejects(
    takeChange(repository.path, base),
    /far is a symbolic link to \/etc\/hosts, out of the worktree/,
  );
});

test("our links are no part of a change, also when a step has added everything itself", async () => {
  using repository = new SmallRepository();
  const base = repository.head;
  symlinkSync("/usr/lib", join(repository.path, "modules"));
  repository.write("value.txt", "2\n");
  repository.git("add", "--all");
  const { diff } = await takeChange(repository.path, base, ["modules"]);
  assert.match(diff, /value\.txt/);
  assert.doesNotMatch(diff, /modules/);
});

test("a lock that an ended step left on the index is in nobody's way", async () => {
  using repository = new SmallRepository();
  writeFileSync(join(repository.path, ".git/index.lock"), "");
  repository.write("value.txt", "2\n");
  assert.equal((await takeChange(repository.path, repository.head)).empty, false);
});
