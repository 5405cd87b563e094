import type { Recorded } from "../belongings/belongings.ts";
import { forgetSetUp } from "../belongings/furnish.ts";
import { clearOwner, makeBranch, makeWorktree } from "../belongings/make-belongings.ts";
import { removeBelongings, removeOwnBranches } from "../belongings/remove-belongings.ts";
import type { PromotionResult, PromotionTask, PruneResult, PruneTask } from "../contract.ts";
import { layout, nodeRef } from "../run-layout.ts";
import { evaluationOwner } from "./evaluation.ts";
import { keepBytes, readKept } from "./kept-file.ts";
import type { OpenRun } from "./open-run.ts";

/** Makes a node of an evaluation. Done again after a crash it makes the same; what cannot be done leaves nothing. */
export async function promote(run: OpenRun, task: PromotionTask, signal: AbortSignal): Promise<PromotionResult> {
  const results = readKept(run.runRoot, task.results);
  await makeNode(run, task.nodeId, task.commit, signal);
  return { kind: "promotion", baseline: keepBytes(run.runRoot, layout.nodeBaseline(task.nodeId), results) };
}

/** Branch and worktree of a node. */
export async function makeNode(run: OpenRun, nodeId: string, commit: string, signal: AbortSignal): Promise<void> {
  const owner = `n${nodeId}`;
  await clearOwner(run, owner);
  forgetSetUp(run, nodeId);
  try {
    await makeBranch(run, nodeRef(run.settings.treeRunId, nodeId), commit, { owner, stays: "result" });
    await makeWorktree(run, layout.nodeWorktree(nodeId), commit, { owner, stays: "result" }, signal);
  } catch (error) {
    await removeBelongings(run, run.belongings.of(owner));
    throw error;
  }
}

/** After the barrier: removes candidates' worktrees, branches and temporary folders, but for those that are to be kept. */
export async function prune(run: OpenRun, { evaluations }: PruneTask): Promise<PruneResult> {
  const { keepRejectedWorktrees, keepFailedArtifacts } = run.settings.work;
  const unwanted: Recorded[] = [];
  for (const { evalId, state } of evaluations) {
    const owner = evaluationOwner(evalId);
    const keeps = keepRejectedWorktrees || (state === "failed" && keepFailedArtifacts);
    const things = run.belongings.of(owner);
    if (keeps) {
      // Kept on purpose, until the run is cleaned.
      for (const { thing } of things) {
        if (thing.kind === "worktree" || thing.kind === "branch") run.belongings.claim(thing, owner, "result");
      }
    }
    unwanted.push(
      ...(keeps ? things.filter(({ thing }) => thing.kind === "folder" || thing.kind === "process") : things),
    );
  }
  // Whoever holds a lock of the repository will let it go: until then the depth is not done.
  const checkedOut = await removeOwnBranches(run, unwanted);
  const rest = unwanted.filter(({ thing }) => thing.kind !== "branch");
  const deferred = [...checkedOut, ...(await removeBelongings(run, rest))];
  return { kind: "prune", deferred: deferred.map(({ name }) => name).sort() };
}
