import type { Outcome, Proposal, Search } from "@coppice/engine";

export interface SectionSearchOptions {
  readonly low: number;
  readonly high: number;
  /** Points tried at once inside the interval; each round keeps 2 / (points + 1) of it. */
  readonly points: number;
  /** Stop when the interval is no wider than this. */
  readonly tolerance: number;
}

export interface Maximum {
  readonly x: number;
  readonly value: number;
  readonly rounds: number;
}

/**
 * Finds the top of a function with a single hill: golden-section search, widened so that a round has several points to
 * evaluate in parallel. The number of points is configuration; how many workers there are changes only how long it takes.
 */
export function sectionSearch(options: SectionSearchOptions): Search<number, number, Maximum> {
  const { points, tolerance } = options;
  let { low, high } = options;
  let best = { x: Number.NaN, value: Number.NEGATIVE_INFINITY };
  let rounds = 0;
  let asked = 0;
  let told: number[] = [];

  const pointAt = (i: number) => low + ((high - low) * (i + 1)) / (points + 1);

  const narrow = () => {
    let top = 0;
    // Strictly greater: of equal points the first one wins.
    for (let i = 1; i < points; i++) if (told[i] > told[top]) top = i;
    if (told[top] > best.value) best = { x: pointAt(top), value: told[top] };
    [low, high] = [pointAt(top - 1), pointAt(top + 1)];
    rounds++;
    asked = 0;
    told = [];
  };

  return {
    ask(): Proposal<number> {
      if (high - low <= tolerance) return { kind: "done" };
      if (asked === points) return { kind: "wait" };
      const x = pointAt(asked++);
      return { kind: "candidate", candidate: x, key: String(x) };
    },
    tell(outcome: Outcome<number>): void {
      // A point that cannot be evaluated is no hilltop.
      told.push(outcome.ok ? outcome.value : Number.NEGATIVE_INFINITY);
      if (told.length === points) narrow();
    },
    result: () => ({ ...best, rounds }),
    progress: () => ({ best: best.value }),
  };
}
