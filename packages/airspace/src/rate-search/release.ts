// Hot loops: preallocated typed arrays, no closures, no allocation. The slow twins are scheduleFlows and scoreFromScratch.

import { roundHalfEven } from "../instance/instance.ts";
import { waitMinutes } from "../network/regulation.ts";
import type { RateTables } from "./rate-tables.ts";

/** Writes the profile and the delays of one flow at one rate; Infinity is no rate at all. */
export type ReleaseFlow = (
  tables: RateTables,
  flow: number,
  ratePerHour: number,
  /** All flows' releases per bin, laid out as `demand`. */
  profile: Int32Array,
  /** Minutes per flight. */
  delay: Int32Array,
) => void;

/** Releases per bin at an hourly rate: halves go to the even neighbour, so 2/h in quarter hours is none at all. */
export function quotaPerBin(ratePerHour: number, binMinutes: number): number {
  return roundHalfEven((ratePerHour * binMinutes) / 60);
}

/** First come, first served with a whole number of releases per bin; the rest enters in the bin after the last release. */
export const releaseByQuota: ReleaseFlow = (tables, flow, ratePerHour, profile, delay) => {
  const { binCount, binMinutes, demand, readyEnd, requestMinute, requestFlight } = tables;
  const profileStart = flow * (binCount + 1);
  const readyStart = flow * binCount;
  const end = tables.requestOffset[flow + 1];
  const limited = ratePerHour < Number.POSITIVE_INFINITY;
  const quota = limited ? quotaPerBin(ratePerHour, binMinutes) : 0;
  const from = tables.windowFrom;
  const to = tables.windowTo;

  // Before the window everything leaves as it comes, so delays there never change.
  let next = from > 0 ? readyEnd[readyStart + from - 1] : tables.requestOffset[flow];
  let lastActive = next > tables.requestOffset[flow] ? lastBinWithDemand(demand, profileStart, from) : -1;
  for (let t = from; t < binCount; t++) {
    const ready = readyEnd[readyStart + t];
    let released = demand[profileStart + t];
    if (t < to && limited) released = Math.min(quota, ready - next);
    profile[profileStart + t] = released;
    if (released === 0) continue;
    lastActive = t;
    const binMinute = t * binMinutes;
    for (const stop = next + released; next < stop; next++) {
      const flight = requestFlight[next];
      if (flight < 0) continue;
      const wait = binMinute - requestMinute[next];
      delay[flight] = Math.max(wait, 0);
    }
  }
  profile[profileStart + binCount] = end - next;
  if (next === end) return;
  if (lastActive === -1) lastActive = lastBinWithDemand(demand, profileStart, binCount);
  const spillMinute = (lastActive + 1) * binMinutes;
  for (; next < end; next++) {
    const flight = requestFlight[next];
    if (flight < 0) continue;
    const wait = spillMinute - requestMinute[next];
    delay[flight] = Math.max(wait, 0);
  }
};

/** First come, first served with one slot every 60/rate minutes; the queue drains at the same rate after the window. */
export const releaseBySlots: ReleaseFlow = (tables, flow, ratePerHour, profile, delay) => {
  const { binCount, binMinutes, requestMinute, requestFlight, startDelay, maxDelayMinutes } = tables;
  const profileStart = flow * (binCount + 1);
  const end = tables.requestOffset[flow + 1];
  const gap = 60 / ratePerHour;
  profile.fill(0, profileStart, profileStart + binCount + 1);
  let free = Number.NEGATIVE_INFINITY;
  for (let i = tables.requestOffset[flow]; i < end; i++) {
    const flight = requestFlight[i];
    const wanted = requestMinute[i];
    const slot = Math.max(free, wanted);
    free = slot + gap;
    const extra = Math.min(waitMinutes(slot, wanted), maxDelayMinutes - startDelay[flight]);
    delay[flight] = startDelay[flight] + extra;
    const bin = Math.floor((wanted + extra) / binMinutes);
    profile[profileStart + Math.min(bin, binCount)]++;
  }
};

/** Last bin before `end` with demand, or -1. */
function lastBinWithDemand(demand: Int32Array, start: number, end: number): number {
  for (let t = end - 1; t >= 0; t--) if (demand[start + t] > 0) return t;
  return -1;
}
