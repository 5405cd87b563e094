import type { Search } from "@coppice/engine";
import { type NetworkScore, priced } from "../network/network-score.ts";
import type { Plan } from "../network/regulation.ts";
import type { Weights } from "../network/weights.ts";
import type { PlannerOptions } from "../planner/planner-options.ts";
import { type PopulationResult, PopulationSearch } from "../planner/population/population-search.ts";
import type { PopulationShape } from "../planner/population/population-shape.ts";
import type { Segment, SegmentValue } from "../planner/population/segment.ts";
import { SeveralPopulations } from "../planner/population/several-populations.ts";

/** The best plan for a price of delay. */
export interface FrontPoint {
  /** Price of a minute of delay. */
  readonly delayMinute: number;
  readonly plan: Plan;
  /** At that price. */
  readonly score: NetworkScore;
  /** No other point, nor the empty plan, has less of delay and exceedance together. */
  readonly onFront: boolean;
}

/** The search at the run's own prices, and the best plan for each price of delay, the lowest price first. */
export interface FrontResult extends PopulationResult {
  readonly front: readonly FrontPoint[];
}

/** Prices of a minute that are usual, as multiples of the run's own. */
const MULTIPLES = [1 / 8, 1 / 4, 1 / 2, 3 / 4, 1, 3 / 2, 2, 4, 8];

/** The prices that were chosen, or the usual ones, and always the run's own; ascending, each once. */
export function frontPrices(own: number, chosen?: readonly number[]): readonly number[] {
  const prices = chosen ?? MULTIPLES.map((multiple) => Number((multiple * own).toPrecision(6)));
  return [...new Set([...prices, own])].sort((a, b) => a - b);
}

/**
 * A population for each price of delay, each as if it were alone; then every price takes the plan of all of them that costs
 * least at it.
 */
export function frontSearch(
  weights: Weights,
  prices: readonly number[],
  options: PlannerOptions,
  shape: PopulationShape,
): Search<Segment, SegmentValue, FrontResult> {
  const members = prices.map((delayMinute) => ({
    name: `price-${delayMinute}`,
    search: new PopulationSearch(options, shape),
    scoring: { delayMinute },
  }));
  return new SeveralPopulations(members, (results) => {
    const own = results[prices.indexOf(weights.delayMinute)];
    const front = frontOf(weights, prices, results);
    const point = front.find(({ delayMinute }) => delayMinute === weights.delayMinute);
    const best =
      own.best === undefined || point === undefined ? undefined : { ...own.best, plan: point.plan, score: point.score };
    return { ...own, best, front };
  });
}

function frontOf(weights: Weights, prices: readonly number[], results: readonly PopulationResult[]): FrontPoint[] {
  const found = results.flatMap(({ best }) => (best === undefined ? [] : [best]));
  const points = prices.flatMap((delayMinute, at) => {
    const own = results[at].best;
    if (own === undefined) return [];
    const scored = [own, ...found].map(({ plan, score }) => ({
      delayMinute,
      plan,
      score: priced(score, { ...weights, delayMinute }),
    }));
    return [scored.reduce((best, each) => (each.score.objective < best.score.objective ? each : best))];
  });
  return points.map((point) => ({ ...point, onFront: !points.some(({ score }) => beats(score, point.score)) }));
}

/** Whether one has no more of both, and less of one. */
function beats(a: NetworkScore, b: NetworkScore): boolean {
  return (
    a.delayMinutes <= b.delayMinutes &&
    a.exceedance <= b.exceedance &&
    (a.delayMinutes < b.delayMinutes || a.exceedance < b.exceedance)
  );
}
