import { UsageError } from "@coppice/engine";
import type { KeptFile } from "../contract.ts";
import { changedArtifacts } from "../evaluate/kept-file.ts";
import { knownOutcome } from "./known-outcome.ts";
import type { RecordedTree } from "./recorded-tree.ts";

/** Finished evaluations are not done again, so that what they left must still be what it was; refuses to go on if not. */
export function checkArtifacts(tree: Pick<RecordedTree, "runRoot" | "search" | "journal">): void {
  const [problem] = changedArtifacts(tree.runRoot, keptFiles(tree));
  if (problem !== undefined) throw new UsageError(problem);
}

/** Baselines of nodes and results of evaluations, also of those that finished before their turn. */
function keptFiles({ search, journal }: Pick<RecordedTree, "search" | "journal">): KeptFile[] {
  const results = [...search.evaluations.values()].flatMap((evaluation) => {
    const outcome = knownOutcome(evaluation, journal);
    return outcome?.state === "completed" ? [outcome.result.results] : [];
  });
  return [...[...search.nodes.values()].map(({ baseline }) => baseline), ...results];
}
