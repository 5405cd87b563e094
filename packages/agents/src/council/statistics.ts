import type { Convergence } from "./convergence.ts";
import type { Ending, Synthesis } from "./council-record.ts";

/** Endings after which nobody is asked anything any more. */
export function needsNoArbiter(ending: Ending | undefined): boolean {
  return ending === "all-failed" || ending === "no-quorum" || ending === "cost-cap";
}

/** What the numbers alone say, when there is no arbiter to be had. */
export function statistics({ verdict, ratio }: Convergence, trouble: readonly string[]): Synthesis {
  const share = Math.round(ratio * 100);
  return {
    verdict,
    confidence: share,
    reasoning: `${verdict ?? "No verdict"} leads with ${share} % of the weight. No arbiter has judged the arguments.`,
    next: "continue",
    rulings: [],
    recruits: [],
    by: "statistics",
    model: null,
    trouble: [...trouble],
  };
}
