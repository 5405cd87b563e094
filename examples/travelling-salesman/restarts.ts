import type { Outcome, Proposal, Search } from "@coppice/engine";
import type { Attempt, Tour } from "./improve-tour.ts";

export interface RestartOptions {
  readonly rounds: number;
  /** Attempts per round; all of a round start from the best tour of the rounds before. */
  readonly attempts: number;
}

export interface BestTour extends Tour {
  /** Length of the best tour after each round. */
  readonly history: readonly number[];
}

/** Rounds of independent attempts: the first from random tours, every later one from changes of the best so far. */
export function restarts({ rounds, attempts }: RestartOptions): Search<Attempt, Tour, BestTour> {
  let best: Tour = { order: [], length: Number.POSITIVE_INFINITY };
  const history: number[] = [];
  let asked = 0;
  let told = 0;
  /** What this round's attempts start from; fixed while the round lasts. */
  let from: readonly number[] | null = null;

  return {
    ask(): Proposal<Attempt> {
      if (told === rounds * attempts) return { kind: "done" };
      // A round is complete when everything asked was told: until then, wait.
      if (asked === (history.length + 1) * attempts) return { kind: "wait" };
      return { kind: "candidate", candidate: { from }, key: `attempt-${asked++}` };
    },
    tell(outcome: Outcome<Tour>): void {
      if (outcome.ok && outcome.value.length < best.length) best = outcome.value;
      told++;
      if (told % attempts !== 0) return;
      history.push(best.length);
      from = best.order.length === 0 ? null : best.order;
    },
    result: () => ({ ...best, history }),
    progress: () => ({
      levels: [{ name: "Rounds", done: history.length, total: rounds }],
      ...(told === 0 ? {} : { best: best.length }),
    }),
  };
}
