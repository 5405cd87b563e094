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
