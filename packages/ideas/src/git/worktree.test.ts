import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { SmallRepository } from "../../test/small-repository.ts";
import { removeBranches, runBranches, setBranch } from "./refs.ts";
import { RepositoryLock } from "./repository-lock.ts";
import { fillWorktree, registerWorktree, removeWorktree } from "./worktree.ts";

function placeIn(repository: SmallRepository, name: string) {
  return {
    repository: repository.path,
    gitDirectory: join(repository.path, ".git"),
    path: join(repository.folder, "work trees", name),
  };
}

test("a worktree is made and removed without a trace, whatever was written into it", async () => {
  using repository = new SmallRepository();
  const place = placeIn(repository, "--x ü");
  await registerWorktree(place, repository.head);
  await fillWorktree(place.path);
  assert.equal(readFileSync(join(place.path, "value.txt"), "utf8"), "1\n");
  mkdirSync(join(place.path, "cache"));
  writeFileSync(join(place.path, "cache/protected"), "x");
  chmodSync(join(place.path, "cache"), 0o500);
  await removeWorktree(place);
  assert.deepEqual([repository.worktrees, existsSync(place.path)], [[], false]);
  await removeWorktree(place);
});

test("a user's own worktree that is not there just now is not forgotten", async () => {
  using repository = new SmallRepository();
  repository.git("worktree", "add", "--quiet", "../on a stick", "-b", "mine");
  rmSync(join(repository.folder, "on a stick"), { recursive: true });
  const place = placeIn(repository, "e1");
  await registerWorktree(place, repository.head);
  await removeWorktree(place);
  assert.deepEqual(repository.worktrees, [join(repository.folder, "on a stick")]);
});

test("T-19: what half a worktree left is removed before the next try", async () => {
  using repository = new SmallRepository();
  const place = placeIn(repository, "e1");
  await assert.rejects(registerWorktree(place, "0123456789012345678901234567890123456789"));
  assert.deepEqual([repository.worktrees, existsSync(place.path)], [[], false]);
  await registerWorktree(place, repository.head);
});

test("T-19: a ref that another git holds just now is waited for", async () => {
  using repository = new SmallRepository();
  const held = join(repository.path, ".git/refs/heads/tree/r/e0001.lock");
  mkdirSync(join(held, ".."), { recursive: true });
  writeFileSync(held, "");
  const set = setBranch(repository.path, "tree/r/e0001", repository.head, false);
  await sleep(100);
  rmSync(held);
  await set;
  assert.deepEqual(await runBranches(repository.path, "r"), ["tree/r/e0001"]);
  await setBranch(repository.path, "tree/r/e0002", repository.head, false);
  const own = ["e0001", "e0002", "e0003"].map((id) => ({ branch: `tree/r/${id}`, commit: repository.head }));
  await removeBranches(repository.path, own);
  await removeBranches(repository.path, own);
  assert.deepEqual(repository.branches, ["main"]);
});

test("a branch of ours that somebody has committed to since is not removed", async () => {
  using repository = new SmallRepository();
  const first = repository.head;
  await setBranch(repository.path, "tree/r/n0001", first, false);
  repository.git("checkout", "--quiet", "tree/r/n0001");
  repository.write("value.txt", "mine");
  repository.commit("Mine");
  await removeBranches(repository.path, [{ branch: "tree/r/n0001", commit: first }]);
  assert.deepEqual(repository.branches, ["main", "tree/r/n0001"]);
});

test("a branch of ours that somebody stands on is not removed under them", async () => {
  using repository = new SmallRepository();
  const own = { branch: "tree/r/n0001", commit: repository.head };
  await setBranch(repository.path, own.branch, own.commit, false);
  repository.git("checkout", "--quiet", own.branch);
  assert.deepEqual([...(await removeBranches(repository.path, [own]))], [[own.branch, repository.path]]);
  repository.git("checkout", "--quiet", "main");
  await removeBranches(repository.path, [own]);
  assert.deepEqual(repository.branches, ["main"]);
});

test("worktrees may come and go in the same repository at once, also when nobody agreed on a lock", async () => {
  using repository = new SmallRepository();
  const lane = async (name: string) => {
    for (let i = 0; i < 6; i++) {
      await registerWorktree(placeIn(repository, name), repository.head);
      await removeWorktree(placeIn(repository, name));
    }
  };
  await Promise.all(["a/0001", "b/0001", "c/0001", "d/0001"].map(lane));
  assert.deepEqual(repository.worktrees, []);
});

test("a branch that somebody else made is neither moved nor retried for long", async () => {
  using repository = new SmallRepository();
  repository.git("branch", "tree/r/e0001");
  await assert.rejects(setBranch(repository.path, "tree/r/e0001", repository.head, false), /already exists/);
  repository.git("branch", "tree2");
  await assert.rejects(setBranch(repository.path, "tree2/r/e0001", repository.head, false), /tree2' exists/);
});

test("T-19, B11: of many workers in threads only one at a time changes the repository, and a dead holder's lock is free", async () => {
  using repository = new SmallRepository();
  const path = join(repository.folder, "git.lock");
  const source = `
    const { workerData, parentPort } = require("node:worker_threads");
    const { appendFileSync } = require("node:fs");
    import(workerData.module).then(async ({ RepositoryLock }) => {
      for (let i = 0; i < 5; i++) {
        await new RepositoryLock(workerData.path).hold(async () => {
          appendFileSync(workerData.path + ".log", "in ");
          await new Promise((resolve) => setTimeout(resolve, 2));
          appendFileSync(workerData.path + ".log", "out ");
        });
      }
      await new RepositoryLock(workerData.path).hold(() => {
        parentPort.postMessage("held");
        return workerData.dies ? new Promise((resolve) => setTimeout(resolve, 1e6)) : Promise.resolve();
      });
    });`;
  const module = new URL("./repository-lock.ts", import.meta.url).href;
  const workers = [false, false, false].map(
    (dies) => new Worker(source, { eval: true, workerData: { module, path, dies } }),
  );
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.on("exit", resolve))));
  const log = readFileSync(`${path}.log`, "utf8").trim();
  assert.equal(log, Array(15).fill("in out").join(" "));

  const dying = new Worker(source, { eval: true, workerData: { module, path, dies: true } });
  await new Promise((resolve) => dying.on("message", resolve));
  const stuck = new RepositoryLock(path).hold(() => Promise.resolve(), AbortSignal.timeout(100));
  await assert.rejects(stuck, { name: "TimeoutError" });
  await dying.terminate();
  assert.equal(await new RepositoryLock(path).hold(() => Promise.resolve("free")), "free");
});
