import { type Instance, wholeCapacity } from "../instance/instance.ts";
import { type NetworkScore, priced } from "./network-score.ts";
import { MAX_DELAY_MINUTES, type Plan, type Regulation } from "./regulation.ts";
import { waitMinutes } from "./slot.ts";
import type { Weights } from "./weights.ts";

/** What a plan does to a day, worked out from nothing. */
export interface ScratchResult {
  readonly score: NetworkScore;
  /** Delay of each flight. */
  readonly delayMinutes: Int32Array;
  /** Entries per rolling hour for [volume * binCount + bin]. */
  readonly hourCount: Int32Array;
}

/**
 * The slow, obvious twin of `PlanEvaluator`: every plan is scored from nothing, by the definition, on flat arrays.
 * It is what the fast one is tested and measured against.
 */
export function scratchScorer(instance: Instance): (plan: Plan, weights: Weights) => ScratchResult {
  const { binMinutes, binCount, visitOffset, visitVolume, visitFlow } = instance;
  const flightCount = instance.flightIds.length;
  const perHour = 60 / binMinutes;
  const capacity = instance.capacity.map(wholeCapacity);
  const entryMinute = new Float64Array(visitVolume.length);
  for (let f = 0; f < flightCount; f++) {
    for (let i = visitOffset[f]; i < visitOffset[f + 1]; i++) {
      entryMinute[i] = (instance.takeoffSecond[f] + instance.entrySecond[i]) / 60;
    }
  }

  return (plan, weights) => {
    const delay = new Int32Array(flightCount);
    const released = new Int32Array(plan.length * binCount);
    const wanted = new Int32Array(plan.length * binCount);
    plan.forEach((regulation, k) => {
      const row = [k * binCount, (k + 1) * binCount] as const;
      allocateSlots(regulation, delay, wanted.subarray(...row), released.subarray(...row));
    });
    const hourCount = countHours(delay);
    let exceedance = 0;
    for (let cell = 0; cell < hourCount.length; cell++) exceedance += Math.max(0, hourCount[cell] - capacity[cell]);
    let delayMinutes = 0;
    for (let f = 0; f < flightCount; f++) delayMinutes += delay[f];
    const flowTerms = compareWithDemand(plan, wanted, released, binCount, weights);
    const score = priced({ exceedance, delayMinutes, regulations: plan.length, ...flowTerms }, weights);
    return { score, delayMinutes: delay, hourCount };
  };

  function allocateSlots(regulation: Regulation, delay: Int32Array, wanted: Int32Array, released: Int32Array): void {
    const from = regulation.fromBin * binMinutes;
    const to = regulation.toBin * binMinutes;
    const flights = new Int32Array(flightCount);
    const arrival = new Float64Array(flightCount);
    let count = 0;
    for (let f = 0; f < flightCount; f++) {
      for (let i = visitOffset[f]; i < visitOffset[f + 1]; i++) {
        if (visitVolume[i] !== regulation.volume) continue;
        const x = entryMinute[i] + delay[f];
        if (x >= from && x < to && (regulation.flows & (1 << visitFlow[i])) !== 0) {
          flights[count++] = f;
          arrival[f] = x;
        }
        break;
      }
    }
    const queue = flights.subarray(0, count).sort((a, b) => arrival[a] - arrival[b] || a - b);
    const gap = 60 / regulation.ratePerHour;
    let free = Number.NEGATIVE_INFINITY;
    for (const f of queue) {
      const x = arrival[f];
      const slot = Math.max(x, free);
      const extra = Math.min(waitMinutes(slot, x), MAX_DELAY_MINUTES - delay[f]);
      free = slot + gap;
      delay[f] += extra;
      count1(wanted, x);
      count1(released, x + extra);
    }
  }

  function count1(bins: Int32Array, minute: number): void {
    const bin = Math.floor(minute / binMinutes);
    if (bin >= 0 && bin < binCount) bins[bin]++;
  }

  function countHours(delay: Int32Array): Int32Array {
    const entries = new Int32Array(capacity.length);
    for (let f = 0; f < flightCount; f++) {
      for (let i = visitOffset[f]; i < visitOffset[f + 1]; i++) {
        const bin = Math.floor((entryMinute[i] + delay[f]) / binMinutes);
        if (bin >= 0 && bin < binCount) entries[visitVolume[i] * binCount + bin]++;
      }
    }
    const hourCount = new Int32Array(capacity.length);
    for (let cell = 0; cell < capacity.length; cell++) {
      const endOfDay = cell - (cell % binCount) + binCount;
      for (let c = cell; c < Math.min(cell + perHour, endOfDay); c++) hourCount[cell] += entries[c];
    }
    return hourCount;
  }
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
