import { sum } from "../../models/money/totals.ts";
import type { Reply, Verdict } from "../../replies/reply.ts";

/** What convergence is computed from; in the order personas are configured, which decides ties. */
export type Vote = Pick<Reply, "verdict" | "confidence" | "conviction">;

export interface ConvergenceRule {
  /** Share of the weight the leading verdict needs, 0–1. */
  readonly threshold: number;
  /** Whether ABSTAIN counts as a verdict or is left out. */
  readonly abstain: "counts" | "ignored";
}

export interface Convergence {
  /** The verdict with most weight; of equals, the one held by the persona configured first. Null without any verdict. */
  readonly verdict: Verdict | null;
  /** Its share of all weight, 0–1. */
  readonly ratio: number;
  readonly averageConviction: number;
  /** Weights were all zero, so that heads were counted instead. */
  readonly byHeads: boolean;
  /** The ratio has reached the threshold. */
  readonly agreed: boolean;
  readonly stalemate: boolean;
  readonly converged: boolean;
}

const EPSILON = 1e-9;
const STALEMATE_RATIO = 0.6;
const STALEMATE_CONVICTION = 60;

/**
 * How far the council agrees. A vote weighs confidence ÷ 100 × conviction ÷ 100; ratio = leading weight ÷ total weight,
 * or a count of heads when every weight is zero. Stalemate: ratio < 0.6 and average conviction < 60. Converged: ratio ≥
 * threshold, nothing pending, no stalemate.
 */
export function convergence(votes: readonly Vote[], pending: number, rule: ConvergenceRule): Convergence {
  const counted = votes.filter(
    ({ verdict }) => verdict !== null && !(verdict === "ABSTAIN" && rule.abstain === "ignored"),
  );
  const weights = counted.map(({ confidence, conviction }) => (confidence / 100) * (conviction / 100));
  const byHeads = counted.length > 0 && sum(weights) <= 0;
  const { verdict, share } = leading(counted, byHeads ? weights.map(() => 1) : weights);
  const averageConviction = votes.length === 0 ? 0 : sum(votes.map(({ conviction }) => conviction)) / votes.length;
  const stalemate =
    votes.length > 0 && share < STALEMATE_RATIO - EPSILON && averageConviction < STALEMATE_CONVICTION - EPSILON;
  const agreed = verdict !== null && share >= rule.threshold - EPSILON;
  const converged = agreed && pending === 0 && !stalemate;
  return { verdict, ratio: share, averageConviction, byHeads, agreed, stalemate, converged };
}

function leading(votes: readonly Vote[], weights: readonly number[]): { verdict: Verdict | null; share: number } {
  const totals = new Map<Verdict, number>();
  for (const [i, { verdict }] of votes.entries()) {
    if (verdict !== null) totals.set(verdict, (totals.get(verdict) ?? 0) + (weights[i] ?? 0));
  }
  const total = sum([...totals.values()]);
  let best: Verdict | null = null;
  for (const [verdict, weight] of totals) {
    // A map keeps the order in which verdicts were first seen: only more weight beats an earlier one.
    if (best === null || weight > (totals.get(best) ?? 0) + EPSILON) best = verdict;
  }
  return { verdict: best, share: best === null || total <= 0 ? 0 : (totals.get(best) ?? 0) / total };
}
