import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { processStart } from "@coppice/engine/child-process";
import { SmallRepository } from "../../test/small-repository.ts";
import { evaluationOf, ideaOf, isAlive, smallRun, taskOf } from "../../test/small-run.ts";
import { evaluateIdea } from "../evaluate/evaluation.ts";
import { makeNode } from "../evaluate/promotion.ts";
import { plantRoot } from "../evaluate/root.ts";
import { layout } from "../run-layout.ts";
import { allBelongings, removeNamed, unneededBelongings } from "./unneeded.ts";

const kept = (nodes: string[], evaluations: string[]) => ({ nodes: new Set(nodes), evaluations: new Set(evaluations) });

test("what a crash left is listed and removed: processes, worktrees, branches and folders of the run's own, nothing else", async () => {
  using repository = new SmallRepository();
  const run = await smallRun(repository);
  repository.git("worktree", "add", "--quiet", "-b", "tree/small/mine", "../my own worktree");
  await makeNode(run, "0000", repository.head, taskOf().signal);
  for (const evalId of ["0001", "0002"]) {
    await evaluateIdea(run, evaluationOf(run, ideaOf(run, `${evalId}\n`, `${evalId}.md`), evalId), taskOf());
    // What an evaluation that is cut short does not come to remove.
    const temp = join(run.runRoot, layout.evaluationTemp(evalId));
    run.belongings.claim({ kind: "folder", path: temp }, `e${evalId}`);
    mkdirSync(temp);
  }
  const orphan = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
  const pid = orphan.pid ?? 0;
  run.belongings.claim({ kind: "process", pid, pidStart: processStart(pid) ?? "", mark: "m", step: "sweep" }, "e0003");

  // The record of a step that is long gone is not listed.
  run.belongings.claim({ kind: "process", pid: 999_999_999, pidStart: "1", mark: "none", step: "test" }, "e0004");

  const unneeded = unneededBelongings(run.runRoot, kept(["0000"], ["0001"]));
  assert.deepEqual(
    unneeded.map(({ kind, name }) => `${kind} ${name}`),
    [
      "branch tree/small/e0002",
      "folder eval/0001/tmp",
      "folder eval/0002/tmp",
      `process sweep (pid ${pid})`,
      "worktree cand/0002",
    ],
  );
  assert.deepEqual(await removeNamed(run.runRoot, run.settings, unneeded), []);
  assert.equal(isAlive(pid), false);
  assert.deepEqual(repository.branches, ["main", "tree/small/e0001", "tree/small/mine", "tree/small/n0000"]);
  assert.deepEqual(unneededBelongings(run.runRoot, kept(["0000"], ["0001"])), []);

  await removeNamed(run.runRoot, run.settings, allBelongings(run.runRoot));
  assert.deepEqual(repository.branches, ["main", "tree/small/mine"]);
  assert.deepEqual(repository.worktrees, [join(repository.folder, "my own worktree")]);
});

test("T-21, B15: what could not be removed is deferred with the reason, and gone at the next try", async () => {
  using repository = new SmallRepository();
  const run = await smallRun(repository);
  await evaluateIdea(run, evaluationOf(run, ideaOf(run, "2\n")), taskOf());
  const held = join(repository.path, ".git/refs/heads/tree/small/e0001.lock");
  writeFileSync(held, "");
  const unneeded = unneededBelongings(run.runRoot, kept([], []));
  const [said] = await removeNamed(run.runRoot, run.settings, unneeded);
  assert.match(said ?? "", /^tree\/small\/e0001: .*e0001\.lock': File exists/);
  const again = unneededBelongings(run.runRoot, kept([], ["0001"]));
  assert.deepEqual(again, [{ kind: "branch", name: "tree/small/e0001" }]);
  rmSync(held);
  assert.deepEqual(await removeNamed(run.runRoot, run.settings, again), []);
  assert.deepEqual([run.belongings.list(), repository.branches, repository.worktrees], [[], ["main"], []]);
});

test("the root is measured by the sweep when no baseline is given, and its measuring leaves nothing", async () => {
  using repository = new SmallRepository({ "value.txt": "4\n" });
  const run = await smallRun(repository);
  const root = await plantRoot(run, { kind: "root", commit: repository.head }, taskOf());
  assert.deepEqual([root.metrics.speed, root.baseline.path], [4, layout.rootBaseline]);
  assert.ok(repository.branches.includes("tree/small/n0000"));
  assert.deepEqual(repository.worktrees, [join(run.runRoot, "wt/0000")]);
  assert.deepEqual(
    run.belongings.list().map(({ name }) => name),
    ["branch-n0000", "worktree-n0000"],
  );
  assert.deepEqual(await plantRoot(run, { kind: "root", commit: repository.head }, taskOf()), root);
});

test("a baseline is copied once, and one that cannot be read is named", async () => {
  using repository = new SmallRepository();
  const baseline = join(repository.folder, "base line.csv");
  writeFileSync(baseline, "config_id,speed\n0,7\n");
  const run = await smallRun(repository, { config: { baseline } });
  assert.equal((await plantRoot(run, { kind: "root", commit: repository.head }, taskOf())).metrics.speed, 7);
  const gone = await smallRun(repository, { id: "gone", config: { baseline: join(repository.folder, "no.csv") } });
  await assert.rejects(plantRoot(gone, { kind: "root", commit: repository.head }, taskOf()), /ENOENT.*no\.csv/);
});

test("T-18: a run whose name others use for their branches does not begin", async () => {
  using repository = new SmallRepository();
  repository.git("branch", "tree/small/e0007");
  const run = await smallRun(repository);
  const planting = plantRoot(run, { kind: "root", commit: repository.head }, taskOf());
  await assert.rejects(planting, /the branch tree\/small\/e0007 exists and is not of this run/);
  assert.deepEqual(repository.worktrees, []);
});
