import type { PromotionResult, PromotionTask, PruneResult, PruneTask } from "../contract.ts";
import { removeBelongings } from "../leftovers/remove-belongings.ts";
import { layout, nodeRef } from "../run-layout.ts";
import { clearOwner, makeBranch, makeWorktree } from "./code-place.ts";
import { evaluationOwner } from "./evaluation.ts";
import { keepBytes, readKept } from "./kept-file.ts";
import type { Site } from "./site.ts";

/** Whose belongings a node's are. */
function nodeOwner(nodeId: string): string {
  return `n${nodeId}`;
}

/** Makes a node of an evaluation. Done again after a crash it gives the same; what cannot be done leaves nothing. */
export async function promote(site: Site, task: PromotionTask, signal: AbortSignal): Promise<PromotionResult> {
  const results = readKept(site.runRoot, task.results);
  await makeNode(site, task.nodeId, task.commit, signal);
  return { kind: "promotion", baseline: keepBytes(site.runRoot, layout.nodeBaseline(task.nodeId), results) };
}

/** Branch and worktree of a node. */
export async function makeNode(site: Site, nodeId: string, commit: string, signal: AbortSignal): Promise<void> {
  const owner = nodeOwner(nodeId);
  const ref = nodeRef(site.settings.treeRunId, nodeId);
  await clearOwner(site, owner);
  try {
    await makeBranch(site, ref, commit, owner, "result");
    await makeWorktree(site, { path: layout.nodeWorktree(nodeId), owner, stays: "result" }, commit, signal);
  } catch (error) {
    await removeBelongings(site.belongings, site.belongings.of(owner), site);
    throw error;
  }
}

/** After the barrier: removes candidates' worktrees, branches and temporary folders, but for those that are to be kept. */
export async function prune(site: Site, { evaluations }: PruneTask): Promise<PruneResult> {
  const { keepRejectedWorktrees, keepFailedArtifacts } = site.settings.work;
  const deferred: string[] = [];
  for (const { evalId, state } of evaluations) {
    const owner = evaluationOwner(evalId);
    const keeps = keepRejectedWorktrees || (state === "failed" && keepFailedArtifacts);
    const things = site.belongings.of(owner);
    if (keeps) {
      // Kept on purpose, until the run is cleaned.
      for (const { thing } of things) {
        if (thing.kind === "worktree" || thing.kind === "branch") site.belongings.claim(thing, owner, "result");
      }
    }
    const unwanted = keeps ? things.filter(({ thing }) => thing.kind === "folder" || thing.kind === "process") : things;
    const removal = await removeBelongings(site.belongings, unwanted, site);
    deferred.push(...removal.deferred.map(({ name }) => name));
  }
  return { kind: "prune", deferred };
}
