import { timed } from "@coppice/engine/evaluator";
import { type BinWindow, type Instance, median, roundHalfEven } from "../instance/instance.ts";
import type { RateOptions } from "./rate-options.ts";

/** What suggests rates: who enters when, and what the volume can take. */
export interface GridDemand {
  /** Bins of entry per flow. */
  readonly entryBins: readonly (readonly number[])[];
  readonly windowFrom: number;
  readonly windowTo: number;
  readonly binMinutes: number;
  /** Flights per hour for each hour the window touches, where known. */
  readonly hourlyCapacity: readonly number[];
}

const LOAD_FACTORS = [0.5, 0.67, 0.8, 1, 1.25, 1.5];
const PEAK_FACTORS = [0.67, 1, 1.5];

/** The rates to try, in order: "no rate" first when suggestions are on, then the highest. */
export function resolveGrid(options: RateOptions, demand: GridDemand): number[] {
  if (!options.adaptiveGrid) return options.rateGrid.length > 0 ? [...options.rateGrid] : [Number.POSITIVE_INFINITY];
  const finite = new Set([...suggestedRates(options, demand), ...options.rateGrid].filter(Number.isFinite));
  return [Number.POSITIVE_INFINITY, ...[...finite].sort((a, b) => b - a)];
}

/** Rates around what the flows need and what the volume offers, highest first; none for a window nobody enters. */
function suggestedRates(options: RateOptions, demand: GridDemand): number[] {
  using _ = timed("rate_finder.build_adaptive_rate_grid");
  const total = loadOf(demand.entryBins.flat(), demand);
  if (total.entrants === 0) return [];
  const capacity = demand.hourlyCapacity.length > 0 ? median(demand.hourlyCapacity) : 0;
  const wishes = [total.clear, total.peak, capacity];
  for (const bins of demand.entryBins) {
    const load = loadOf(bins, demand);
    if (load.entrants === 0) continue;
    const share = load.entrants / total.entrants;
    wishes.push(load.clear, load.peak);
    wishes.push(...LOAD_FACTORS.map((factor) => capacity * share * factor));
    wishes.push(...PEAK_FACTORS.map((factor) => load.peak * factor));
  }
  for (const level of [capacity, total.peak, total.clear]) wishes.push(...LOAD_FACTORS.map((factor) => level * factor));
  const rates = new Set(
    wishes
      .filter((wish) => wish > 0)
      .map((wish) => Math.min(options.maxAdaptiveRate, Math.max(1, roundHalfEven(wish)))),
  );
  return thinned([...(rates.size > 0 ? rates : [1, 2, 3])], options.maxAdaptiveCandidates - 1);
}

/** Entrants, the most in any hour, and the hourly rate that clears them within the window. */
function loadOf(bins: readonly number[], demand: GridDemand): { entrants: number; peak: number; clear: number } {
  const length = demand.windowTo - demand.windowFrom;
  const perBin = new Array<number>(length).fill(0);
  for (const bin of bins) perBin[bin - demand.windowFrom]++;
  const binsPerHour = Math.max(1, Math.round(60 / demand.binMinutes));
  let peak = 0;
  for (let t = 0; t < length; t++) {
    peak = Math.max(
      peak,
      perBin.slice(t, t + binsPerHour).reduce((sum, count) => sum + count, 0),
    );
  }
  const hours = Math.max((length * demand.binMinutes) / 60, 1e-3);
  return { entrants: bins.length, peak, clear: Math.ceil(bins.length / hours) };
}

/** At most `limit` of the rates, highest first: both ends and an even choice between. */
function thinned(rates: readonly number[], limit: number): number[] {
  const descending = [...rates].sort((a, b) => b - a);
  if (descending.length <= limit) return descending;
  const kept = new Set([descending[0], descending[descending.length - 1]]);
  const slots = Math.max(1, limit - 2);
  const step = Math.max(1, Math.floor(descending.length / slots));
  for (let i = Math.floor(step / 2); i < descending.length && kept.size < limit; i += step) kept.add(descending[i]);
  return [...kept].sort((a, b) => b - a).slice(0, Math.max(1, limit));
}

/** Capacity of each hour the window touches, as given; hours without a figure are left out. */
export function hourlyCapacity(instance: Instance, volume: number, [from, to]: BinWindow): number[] {
  const perHour = 60 / instance.binMinutes;
  const capacities: number[] = [];
  const lastBin = Math.min(to, instance.binCount) - 1;
  for (let hour = Math.floor(from / perHour); hour <= Math.floor(lastBin / perHour); hour++) {
    const capacity = instance.capacity[volume * instance.binCount + hour * perHour];
    if (Number.isFinite(capacity)) capacities.push(capacity);
  }
  return capacities;
}
