import { MAX_DELAY_MINUTES, waitMinutes } from "../regulation.ts";
import type { Arrivals } from "./arrivals.ts";
import type { ChangedFlights } from "./changed-flights.ts";
import type { SlotQueue } from "./slot-queue.ts";

// Hot loops: first planned, first served, written three times because each knows something that the others do not. What
// they do to flights becomes a change; the slots themselves are written to `trial` only if there is one.

/** Serves the flights of a kept line at another rate; changes are against what they waited there. */
export function serveAtOtherRate(
  ratePerHour: number,
  kept: SlotQueue,
  changes: ChangedFlights,
  trial: SlotQueue | undefined,
): void {
  const { flight, wish, room, wait, count } = kept;
  trial?.reserve(count);
  const gap = 60 / ratePerHour;
  let free = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const x = wish[i];
    let extra = 0;
    let next = x + gap;
    if (x < free) {
      extra = Math.min(waitMinutes(free, x), room[i]);
      next = free + gap;
    }
    trial?.push(flight[i], x, free, room[i], extra);
    free = next;
    if (extra === wait[i]) continue;
    changes.add(flight[i], MAX_DELAY_MINUTES - room[i] + extra);
  }
  if (trial !== undefined) trial.free[trial.count] = free;
}

/** Gives slots to flights that arrive at a line of their own; those that wait become changed. */
export function serveArrivals(
  ratePerHour: number,
  arrivals: Arrivals,
  before: Uint8Array,
  changes: ChangedFlights,
  trial: SlotQueue | undefined,
): void {
  const { flight, minute, count } = arrivals;
  trial?.reserve(count);
  const { mark, delay: now, epoch } = changes;
  const gap = 60 / ratePerHour;
  let free = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const f = flight[i];
    const x = minute[i];
    const marked = mark[f] === epoch;
    const delay = marked ? now[f] : before[f];
    let extra = 0;
    let next = x + gap;
    if (x < free) {
      extra = Math.min(waitMinutes(free, x), MAX_DELAY_MINUTES - delay);
      next = free + gap;
    }
    trial?.push(f, x, free, MAX_DELAY_MINUTES - delay, extra);
    free = next;
    if (extra === 0) continue;
    if (marked) now[f] = delay + extra;
    else changes.add(f, delay + extra);
  }
  if (trial !== undefined) trial.free[trial.count] = free;
}

/**
 * Serves the kept queue from `resumed` on without its changed flights, merged with those joining. Returns where it stopped:
 * at its end or, if it may, where it goes on as before.
 */
export function serveMerged(
  ratePerHour: number,
  kept: SlotQueue,
  resumed: number,
  leavingCount: number,
  joining: Arrivals,
  mayStop: boolean,
  changes: ChangedFlights,
  trial: SlotQueue | undefined,
): number {
  const { flight: keptFlight, wish: keptWish, free: keptFree, room, wait, count: keptCount } = kept;
  const { flight: joinFlight, minute: joinWish, count: joinCount } = joining;
  trial?.reserve(keptCount - resumed + joinCount);
  const { mark, delay: now, epoch } = changes;
  const gap = 60 / ratePerHour;
  let leaving = leavingCount;
  let at = resumed;
  let join = 0;
  let free = keptFree[at];
  for (;;) {
    while (leaving > 0 && at < keptCount && mark[keptFlight[at]] === epoch) {
      at++;
      leaving--;
    }
    const joined = join === joinCount;
    if (joined && at === keptCount) break;
    if (mayStop && free === keptFree[at]) {
      if (joined && leaving === 0) break;
      if (trial === undefined) {
        // As before up to the next flight that joins or leaves.
        const next = joined ? Number.POSITIVE_INFINITY : joinWish[join];
        const was = at;
        while (at < keptCount && keptWish[at] < next && (leaving === 0 || mark[keptFlight[at]] !== epoch)) at++;
        if (at > was) {
          free = keptFree[at];
          continue;
        }
      }
    }
    let takeJoining = !joined;
    if (takeJoining && at < keptCount) {
      const x = joinWish[join];
      takeJoining = x < keptWish[at] || (x === keptWish[at] && joinFlight[join] < keptFlight[at]);
    }
    if (takeJoining) {
      const f = joinFlight[join];
      const x = joinWish[join++];
      let extra = 0;
      let next = x + gap;
      if (x < free) {
        extra = Math.min(waitMinutes(free, x), MAX_DELAY_MINUTES - now[f]);
        next = free + gap;
      }
      trial?.push(f, x, free, MAX_DELAY_MINUTES - now[f], extra);
      free = next;
      now[f] += extra;
      continue;
    }
    const x = keptWish[at];
    let extra = 0;
    let next = x + gap;
    if (x < free) {
      extra = Math.min(waitMinutes(free, x), room[at]);
      next = free + gap;
    }
    trial?.push(keptFlight[at], x, free, room[at], extra);
    free = next;
    if (extra !== wait[at]) changes.add(keptFlight[at], MAX_DELAY_MINUTES - room[at] + extra);
    at++;
  }
  if (trial !== undefined) trial.free[trial.count] = free;
  return at;
}
