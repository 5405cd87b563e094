import { UsageError } from "@coppice/engine";
import type { KeptFile } from "../contract.ts";
import { changedArtifacts } from "../evaluate/kept-file.ts";
import type { RecordedTree } from "./recorded-tree.ts";

/** Finished evaluations are not done again, so that what they left must still be what it was; refuses to go on if not. */
export function checkArtifacts({ runRoot, search }: Pick<RecordedTree, "runRoot" | "search">): void {
  const [problem] = changedArtifacts(runRoot, keptFiles(search));
  if (problem !== undefined) throw new UsageError(problem);
}

/** Baselines of nodes and results of evaluations. */
function keptFiles({ nodes, evaluations }: RecordedTree["search"]): KeptFile[] {
  const results = [...evaluations.values()].flatMap(({ outcome }) =>
    outcome?.state === "completed" ? [outcome.result.results] : [],
  );
  return [...[...nodes.values()].map(({ baseline }) => baseline), ...results];
}
