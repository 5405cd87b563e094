import type { Plan } from "./regulation.ts";
import type { Weights } from "./weights.ts";

/** What a plan costs, in parts. Exceedance and delay are whole numbers. */
export interface NetworkScore {
  readonly objective: number;
  /** Flights over capacity, summed over all volumes and rolling hours. */
  readonly exceedance: number;
  readonly delayMinutes: number;
  readonly regulations: number;
  /** Unweighted; 0 while their weights are 0. */
  readonly regularity: number;
  readonly smoothness: number;
  readonly share: number;
}

/** J = the parts times their weights; one order of additions, so that every scorer rounds alike. */
export function priced(parts: Omit<NetworkScore, "objective">, weights: Weights): NetworkScore {
  const { exceedance, delayMinutes, regulations, regularity, smoothness, share } = parts;
  let objective =
    weights.exceedance * exceedance + weights.delayMinute * delayMinutes + weights.regulation * regulations;
  if (weights.regularity > 0) objective += weights.regularity * regularity;
  if (weights.smoothness > 0) objective += weights.smoothness * smoothness;
  if (weights.share > 0) objective += weights.share * share;
  return { objective, exceedance, delayMinutes, regulations, regularity, smoothness, share };
}

/**
 * Regularity, smoothness and share of the lines of a plan against the demand each met. `wanted` and `released` count
 * flights for [line * binCount + bin]; entries outside the day are not counted. Parts without a weight are 0.
 */
export function compareWithDemand(
  plan: Plan,
  wanted: Int32Array,
  released: Int32Array,
  binCount: number,
  weights: Weights,
): { readonly regularity: number; readonly smoothness: number; readonly share: number } {
  let regularity = 0;
  let smoothness = 0;
  let share = 0;
  for (let k = 0; k < plan.length; k++) {
    for (let cell = k * binCount; cell < (k + 1) * binCount; cell++) {
      if (weights.regularity > 0) regularity += Math.abs(released[cell] - wanted[cell]);
      if (weights.smoothness > 0 && cell + 1 < (k + 1) * binCount) {
        smoothness += Math.abs(released[cell + 1] - released[cell]) - Math.abs(wanted[cell + 1] - wanted[cell]);
      }
      if (weights.share > 0) {
        const [allReleased, allWanted] = [
          total(released, cell - k * binCount, k),
          total(wanted, cell - k * binCount, k),
        ];
        share += 0.5 * Math.abs(released[cell] / Math.max(1, allReleased) - wanted[cell] / Math.max(1, allWanted));
      }
    }
  }
  return { regularity, smoothness, share };

  /** Flights of all lines at the volume of line k in a bin. */
  function total(counts: Int32Array, bin: number, k: number): number {
    let sum = 0;
    for (let other = 0; other < plan.length; other++) {
      if (plan[other].volume === plan[k].volume) sum += counts[other * binCount + bin];
    }
    return sum;
  }
}
