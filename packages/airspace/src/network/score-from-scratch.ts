import { type Instance, wholeCapacity } from "../instance/instance.ts";
import { compareWithDemand, type NetworkScore, priced } from "./network-score.ts";
import { MAX_DELAY_MINUTES, type Plan, type Regulation, waitMinutes } from "./regulation.ts";
import type { Weights } from "./weights.ts";

/** What a plan does to a day. */
export interface ScratchResult {
  readonly score: NetworkScore;
  /** Delay of each flight. */
  readonly delayMinutes: Int32Array;
  /** Entries per rolling hour for [volume * binCount + bin]. */
  readonly hourCount: Int32Array;
  /** Flights that wanted to enter and that were let in for [line * binCount + bin]. */
  readonly wanted: Int32Array;
  readonly released: Int32Array;
}

/**
 * Scores a plan from nothing, by the definition, on flat arrays. The slow, obvious twin of `PlanEvaluator`, which is
 * tested and measured against it; also what reports use, because it gives delays and counts as well.
 */
export function scoreFromScratch(instance: Instance, plan: Plan, weights: Weights): ScratchResult {
  const { binCount } = instance;
  const delay = new Int32Array(instance.flightIds.length);
  const wanted = new Int32Array(plan.length * binCount);
  const released = new Int32Array(plan.length * binCount);
  for (let k = 0; k < plan.length; k++) {
    const [first, end] = [k * binCount, (k + 1) * binCount];
    allocateSlots(instance, plan[k], delay, wanted.subarray(first, end), released.subarray(first, end));
  }
  const hourCount = countHours(instance, delay);
  let exceedance = 0;
  for (let cell = 0; cell < hourCount.length; cell++) {
    exceedance += Math.max(0, hourCount[cell] - wholeCapacity(instance.capacity[cell]));
  }
  let delayMinutes = 0;
  for (let f = 0; f < delay.length; f++) delayMinutes += delay[f];
  const flowTerms = compareWithDemand(plan, wanted, released, binCount, weights);
  const score = priced({ exceedance, delayMinutes, regulations: plan.length, ...flowTerms }, weights);
  return { score, delayMinutes: delay, hourCount, wanted, released };
}

/** Delays the flights of one line: those whose first entry, with the delay so far, lies in the window. */
function allocateSlots(
  instance: Instance,
  regulation: Regulation,
  delay: Int32Array,
  wanted: Int32Array,
  released: Int32Array,
): void {
  const { binMinutes, visitOffset, visitVolume, visitFlow, takeoffSecond, entrySecond } = instance;
  const from = regulation.fromBin * binMinutes;
  const to = regulation.toBin * binMinutes;
  const flights = new Int32Array(delay.length);
  const arrival = new Float64Array(delay.length);
  let count = 0;
  for (let f = 0; f < delay.length; f++) {
    for (let i = visitOffset[f]; i < visitOffset[f + 1]; i++) {
      if (visitVolume[i] !== regulation.volume) continue;
      const minute = (takeoffSecond[f] + entrySecond[i]) / 60 + delay[f];
      if (minute >= from && minute < to && (regulation.flows & (1 << visitFlow[i])) !== 0) {
        flights[count++] = f;
        arrival[f] = minute;
      }
      break;
    }
  }
  const queue = flights.subarray(0, count).sort((a, b) => arrival[a] - arrival[b] || a - b);
  let free = Number.NEGATIVE_INFINITY;
  for (const f of queue) {
    const slot = Math.max(arrival[f], free);
    const extra = Math.min(waitMinutes(slot, arrival[f]), MAX_DELAY_MINUTES - delay[f]);
    free = slot + 60 / regulation.ratePerHour;
    delay[f] += extra;
    countEntry(instance, wanted, arrival[f]);
    countEntry(instance, released, arrival[f] + extra);
  }
}

function countEntry({ binMinutes, binCount }: Instance, bins: Int32Array, minute: number): void {
  const bin = Math.floor(minute / binMinutes);
  if (bin >= 0 && bin < binCount) bins[bin]++;
}

/** Entries of each volume in the hour that starts with each bin, cut at the end of the day. */
export function countHours(instance: Instance, delayMinutes: Int32Array): Int32Array {
  const { binMinutes, binCount, visitOffset, visitVolume, takeoffSecond, entrySecond } = instance;
  const entries = new Int32Array(instance.capacity.length);
  for (let f = 0; f < delayMinutes.length; f++) {
    for (let i = visitOffset[f]; i < visitOffset[f + 1]; i++) {
      const bin = Math.floor(((takeoffSecond[f] + entrySecond[i]) / 60 + delayMinutes[f]) / binMinutes);
      if (bin >= 0 && bin < binCount) entries[visitVolume[i] * binCount + bin]++;
    }
  }
  const hourCount = new Int32Array(entries.length);
  for (let cell = 0; cell < entries.length; cell++) {
    const endOfDay = cell - (cell % binCount) + binCount;
    for (let c = cell; c < Math.min(cell + 60 / binMinutes, endOfDay); c++) hourCount[cell] += entries[c];
  }
  return hourCount;
}
