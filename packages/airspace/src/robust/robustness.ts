import { right, tableText } from "@coppice/engine/display";
import { type Instance, wholeCapacity } from "../instance/instance.ts";
import { priced } from "../network/network-score.ts";
import type { Plan } from "../network/regulation.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import type { Weights } from "../network/weights.ts";
import { freshDraws, plannedDraws } from "./weather-draws.ts";

/** Draws that neither plan was made for. */
const FRESH = 64;

/** J of a plan, whatever the weather. */
interface UnderWeather {
  readonly forecast: number;
  /** Over the draws that the robust plan was made for, the forecast among them. */
  readonly plannedMean: number;
  readonly freshMean: number;
  readonly freshWorst: number;
}

/** What a plan for many draws costs where the forecast is right, and what it saves where it is not. */
export interface Robustness {
  readonly plannedDraws: number;
  readonly freshDraws: number;
  readonly none: UnderWeather;
  readonly plain: UnderWeather;
  readonly robust: UnderWeather;
}

/** Compares a plan made for `count` draws with one made for the forecast alone. */
export function robustnessOf(
  instance: Instance,
  weights: Weights,
  { count, seed }: { readonly count: number; readonly seed: number },
  plans: { readonly plain: Plan; readonly robust: Plan },
): Robustness {
  const planned = plannedDraws(instance, count, seed);
  const fresh = freshDraws(instance, FRESH, seed);
  const under = (plan: Plan): UnderWeather => {
    const costs = costUnder(instance, plan, weights);
    const known = planned.map(costs);
    const unknown = fresh.map(costs);
    return { forecast: known[0], plannedMean: mean(known), freshMean: mean(unknown), freshWorst: Math.max(...unknown) };
  };
  return {
    plannedDraws: count,
    freshDraws: FRESH,
    none: under([]),
    plain: under(plans.plain),
    robust: under(plans.robust),
  };
}

/** What a plan costs under a draw of the capacity. Delays are the same under all of them. */
export function costUnder(instance: Instance, plan: Plan, weights: Weights): (capacity: Float64Array) => number {
  const { score, hourCount } = scoreFromScratch(instance, plan, weights);
  return (capacity) => {
    let exceedance = 0;
    for (let cell = 0; cell < hourCount.length; cell++) {
      exceedance += Math.max(0, hourCount[cell] - wholeCapacity(capacity[cell]));
    }
    return priced({ ...score, exceedance }, weights).objective;
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function titlesOf({ plannedDraws: planned, freshDraws: fresh }: Robustness): readonly string[] {
  return ["forecast", `${planned} planned`, `${fresh} fresh`, "worst fresh"];
}

function rowsOf({ none, plain, robust }: Robustness): readonly (readonly string[])[] {
  return [
    ["no plan", none],
    ["plan for the forecast", plain],
    ["robust plan", robust],
  ].map(([name, under]) => [
    String(name),
    // Cast: the second of each pair.
    ...Object.values(under as UnderWeather).map((cost: number) => cost.toFixed(1)),
  ]);
}

/** What robustness costs and saves, in one sentence. */
function verdict({ plain, robust }: Robustness): string {
  const [cost, saving] = [robust.forecast - plain.forecast, plain.freshMean - robust.freshMean];
  return `robustness ${cost < 0 ? "saves" : "costs"} ${Math.abs(cost).toFixed(1)} if the forecast is right and ${saving < 0 ? "costs" : "saves"} ${Math.abs(saving).toFixed(1)} on average if it is not`;
}

export function robustnessText(figures: Robustness): string {
  const columns = ["mean J over draws", ...right(...titlesOf(figures))];
  return [tableText(columns, rowsOf(figures)), verdict(figures)].join("\n");
}

/** The same as a table of words, for pages. */
export function robustnessTable(figures: Robustness) {
  return { columns: ["J", ...titlesOf(figures)], rows: rowsOf(figures), says: verdict(figures) };
}
