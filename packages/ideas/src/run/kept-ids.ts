import type { KeptIds } from "../ground/tree-ground.ts";
import type { RecordedTree } from "./recorded-tree.ts";

/** What the run still needs of what it made: nodes, candidates that may yet be promoted, and what it was told to keep. */
export function keptIds({ plan, search, journal }: Pick<RecordedTree, "plan" | "search" | "journal">): KeptIds {
  const { keepRejectedWorktrees, keepFailedArtifacts } = plan.work;
  const evaluations = new Set<string>();
  for (const depth of search.depths) {
    for (const { key, task } of depth.evaluations) {
      const state = journal.tasks.get(key)?.state;
      const kept = depth.complete
        ? keepRejectedWorktrees || (state === "failed" && keepFailedArtifacts)
        : state === "completed" || (state === "failed" && keepFailedArtifacts);
      if (kept) evaluations.add(task.evalId);
    }
  }
  return { nodes: new Set(search.nodes.keys()), evaluations };
}
