import type { Random } from "@coppice/engine/evaluator";
import { binsPerHour, type Instance } from "../instance/instance.ts";
import { type FirstVisits, firstVisitsOf, lowerBound } from "../network/kernel/first-visits.ts";
import type { PlanEvaluator } from "../network/kernel/plan-evaluator.ts";
import type { Regulation } from "../network/regulation.ts";
import { HotHours, type HotRun } from "./hot-hours.ts";

/** Windows are at least an hour long. */
export const LEAST_BINS = 4;

/** Rates are tried around the demand they meet: below 1 they hold traffic back, above 1 they smooth its peaks. */
export const RATIOS = [0.5, 0.65, 0.8, 0.9, 1, 1.1, 1.25, 1.45];

/** How often a rate is drawn from what the hotspot has too much, instead of from a fixed list of ratios. */
const RELIEVING = 0.8;

/** Hotspots are drawn by their excess to this power: above 1, large ones get more than their share. */
const SPREAD = 1.2;

/** How often a line is drawn elsewhere on the way of a hotspot's flights instead of at the hotspot. */
const ALONG = 0.2;

/** Draws regulations that could help against the hotspots of the kept plan. */
export class RegulationSampler {
  readonly #instance: Instance;
  readonly #evaluator: PlanEvaluator;
  readonly #hot: HotHours;
  /** How likely each hotspot is drawn, until there are others. */
  #weighted: { readonly runs: readonly HotRun[]; readonly weights: readonly number[] } = { runs: [], weights: [] };
  readonly #counts = new Float64Array(32);
  readonly #along: AlongTracks;
  readonly #alongShare: number;

  /** `alongOften` (0 to 1) is how often, of what is usual, lines are elsewhere on the way of a hotspot's flights. */
  constructor(instance: Instance, evaluator: PlanEvaluator, alongOften = 1) {
    this.#along = new AlongTracks(instance);
    this.#alongShare = ALONG * alongOften;
    this.#instance = instance;
    this.#evaluator = evaluator;
    this.#hot = new HotHours(instance, evaluator);
  }

  /** Hotspots of the kept plan's traffic. */
  hotspots(): readonly HotRun[] {
    return this.#hot.runs();
  }

  /** One regulation, at a hotspot that is likelier the worse it is; undefined when nothing is hot. */
  draw(random: Random): Regulation | undefined {
    const runs = this.#hot.runs();
    if (runs.length === 0) return undefined;
    if (runs !== this.#weighted.runs) this.#weighted = { runs, weights: runs.map(({ excess }) => excess ** SPREAD) };
    const hot = runs[random.weightedIndex(this.#weighted.weights)];
    const place = random.uniform() < this.#alongShare ? this.#along.draw(hot, random) : undefined;
    if (place === undefined) return this.#drawAt(hot, random);
    const { volume, flow, binsLater } = place;
    const there = { ...hot, volume, fromBin: hot.fromBin + binsLater, toBin: hot.toBin + binsLater };
    return this.#drawAt(there, random, random.uniform() < 0.5 ? { only: 1 << flow } : { least: 1 << flow });
  }

  /** One regulation at a hotspot or where its flights pass; of the flows there only some, or at least some, can be given. */
  #drawAt(hot: HotRun, random: Random, given: { only?: number; least?: number } = {}): Regulation | undefined {
    const { volume } = hot;
    const { fromBin, toBin } = this.window(hot.fromBin + random.integer(-3, 4), hot.toBin + random.integer(-1, 6));
    const counts = this.entrants(volume, fromBin, toBin);
    const { only, least = 0 } = given;
    const flows = only ?? least | this.#drawFlows(counts, this.#instance.flowNames[volume].length, random);
    if (flows === 0) return undefined;
    const ratePerHour =
      random.uniform() < RELIEVING
        ? this.#relievingRate(hot, flows, counts, toBin - fromBin, random)
        : this.rateFor(flows, counts, toBin - fromBin, random.choice(RATIOS));
    return { volume, fromBin, toBin, flows, ratePerHour };
  }

  /** The closest window inside the day that is long enough. */
  window(fromBin: number, toBin: number): { readonly fromBin: number; readonly toBin: number } {
    const { binCount } = this.#instance;
    const from = clamp(fromBin, 0, binCount - LEAST_BINS);
    return { fromBin: from, toBin: clamp(toBin, from + LEAST_BINS, binCount) };
  }

  /** Flights per flow that enter a volume in a window, under the kept plan; overwritten by the next call. */
  entrants(volume: number, fromBin: number, toBin: number): Float64Array {
    this.#counts.fill(0);
    this.#evaluator.countEntrants(volume, fromBin, toBin, this.#counts);
    return this.#counts;
  }

  /** A share of the mean hourly demand of some flows, at least 1. */
  rateFor(flows: number, counts: Float64Array, bins: number, ratio: number): number {
    const perHour = demandOf(flows, counts) / ((bins * this.#instance.binMinutes) / 60);
    return Math.max(1, Math.round(ratio * perHour));
  }

  /** The mean demand less a part of what is too much in the worst hour, but not less than two fifths of it. */
  #relievingRate(hot: HotRun, flows: number, counts: Float64Array, bins: number, random: Random): number {
    const demand = this.rateFor(flows, counts, bins, 1);
    return Math.max(1, Math.round(Math.max(demand - 0.8 * random.uniform() * hot.worst, 0.4 * demand)));
  }

  /** All flows in one of five cases, else each with one half; flows without flights are left out. */
  #drawFlows(counts: Float64Array, flowCount: number, random: Random): number {
    const all = random.uniform() < 0.2;
    let flows = 0;
    let largest = 0;
    for (let flow = 0; flow < flowCount; flow++) {
      if (counts[flow] === 0) continue;
      if (counts[flow] > counts[largest]) largest = flow;
      if (all || random.uniform() < 0.5) flows |= 1 << flow;
    }
    return flows === 0 && counts[largest] > 0 ? 1 << largest : flows;
  }
}

/** Flights of some flows. */
export function demandOf(flows: number, counts: Float64Array): number {
  let demand = 0;
  for (let flow = 0; flow < counts.length; flow++) if ((flows & (1 << flow)) !== 0) demand += counts[flow];
  return demand;
}

export function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

/** Another volume on the way of a flight that enters a hotspot. */
export interface PlaceAlong {
  readonly volume: number;
  /** The flight's flow there. */
  readonly flow: number;
  /** Bins from the hotspot to that place; negative before it. */
  readonly binsLater: number;
}

/** Finds where else the flights of a hotspot pass: holding them back there also helps, and spares others. */
export class AlongTracks {
  readonly #instance: Instance;
  readonly #firstVisits: (volume: number) => FirstVisits;

  constructor(instance: Instance) {
    this.#instance = instance;
    this.#firstVisits = firstVisitsOf(instance);
  }

  /** A place on the way of one of the hotspot's flights, as scheduled; undefined if it is the hotspot itself. */
  draw({ volume, fromBin, toBin }: HotRun, random: Random): PlaceAlong | undefined {
    const { binMinutes, visitOffset, visitVolume, visitFlow, takeoffSecond, entrySecond } = this.#instance;
    const { minute, flight } = this.#firstVisits(volume);
    const hour = binsPerHour(this.#instance);
    // From half an hour before, because flights are held back into it, to the end of its last rolling hour.
    const first = lowerBound(minute, minute.length, (fromBin - hour / 2) * binMinutes);
    const end = lowerBound(minute, minute.length, (toBin + hour - 1) * binMinutes);
    if (end <= first) return undefined;
    const at = random.integer(first, end - 1);
    const f = flight[at];
    const visit = random.integer(visitOffset[f], visitOffset[f + 1] - 1);
    if (visitVolume[visit] === volume) return undefined;
    const minutesLater = (takeoffSecond[f] + entrySecond[visit]) / 60 - minute[at];
    const binsLater = Math.round(minutesLater / binMinutes);
    return { volume: visitVolume[visit], flow: visitFlow[visit], binsLater };
  }
}
