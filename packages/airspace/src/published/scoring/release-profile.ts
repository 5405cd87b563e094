import type { BinWindow } from "../../instance/instance.ts";
import { quotaPerBin } from "../../rate-search/release.ts";
import type { Entrant } from "./controlled-flows.ts";
import { binOfSecond, type DayClock, secondOfDay } from "./day-clock.ts";

/** Requests per clock bin; the last slot, the overflow, stays 0. A flight in two bins counts twice. */
export function demandPerBin(requests: readonly Entrant[], clock: DayClock): Int32Array {
  const demand = new Int32Array(clock.binCount + 1);
  for (const { second } of requests) demand[binOfSecond(secondOfDay(second), clock)]++;
  return demand;
}

/** Whether a rate limits anything; an infinite rate and one of 0 or less do not. */
function isLimit(ratePerHour: number): boolean {
  return ratePerHour > 0 && ratePerHour < Number.POSITIVE_INFINITY;
}

/**
 * Releases per bin when a flow is held to a rate in the window; outside it demand is released as it comes.
 * What never fits is in the overflow slot at the end.
 */
export function releaseProfile(
  demand: Int32Array,
  ratePerHour: number,
  window: BinWindow,
  clock: DayClock,
): Int32Array {
  const profile = demand.slice();
  if (!isLimit(ratePerHour)) return profile;
  const quota = quotaPerBin(ratePerHour, clock.binMinutes);
  let waiting = 0;
  for (let t = window[0]; t < Math.min(window[1], clock.binCount); t++) {
    waiting += demand[t];
    profile[t] = Math.min(quota, waiting);
    waiting -= profile[t];
  }
  profile[clock.binCount] += waiting;
  return profile;
}
