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
  let objective =
    weights.exceedance * parts.exceedance +
    weights.delayMinute * parts.delayMinutes +
    weights.regulation * parts.regulations;
  if (weights.regularity > 0) objective += weights.regularity * parts.regularity;
  if (weights.smoothness > 0) objective += weights.smoothness * parts.smoothness;
  if (weights.share > 0) objective += weights.share * parts.share;
  return { objective, ...parts };
}
