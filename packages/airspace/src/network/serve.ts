import type { Arrivals } from "./arrivals.ts";
import type { ChangedFlights } from "./changed-flights.ts";
import { MAX_DELAY_MINUTES, type Regulation } from "./regulation.ts";
import { waitMinutes } from "./slot.ts";
import type { SlotQueue } from "./slot-queue.ts";

// Hot loops: first planned, first served, written three times because each knows something that the others do not.

/** Serves the flights of a kept line at another rate; changes are against `after`, the delay after that line. */
export function serveAtOtherRate(
  regulation: Regulation,
  kept: SlotQueue,
  before: Int16Array,
  after: Int16Array,
  trial: SlotQueue,
  changes: ChangedFlights,
): void {
  const { count } = kept;
  trial.reserve(count);
  trial.flight.set(kept.flight.subarray(0, count));
  trial.wish.set(kept.wish.subarray(0, count));
  trial.count = count;
  const { flight, wish, free: freeBefore, wait } = trial;
  const { mark, delay: now, epoch, flight: changed } = changes;
  let changedCount = 0;
  const gap = 60 / regulation.ratePerHour;
  let free = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const f = flight[i];
    const x = wish[i];
    let delay = before[f];
    let extra = 0;
    freeBefore[i] = free;
    if (x >= free) free = x + gap;
    else {
      extra = waitMinutes(free, x);
      if (extra > MAX_DELAY_MINUTES - delay) extra = MAX_DELAY_MINUTES - delay;
      free += gap;
    }
    wait[i] = extra;
    delay += extra;
    if (delay === after[f]) continue;
    now[f] = delay;
    mark[f] = epoch;
    changed[changedCount++] = f;
  }
  freeBefore[count] = free;
  changes.count = changedCount;
}

/** Gives slots to the trial queue from `start` on; flights that wait become changed. */
export function serveFrom(
  start: number,
  regulation: Regulation,
  before: Int16Array,
  trial: SlotQueue,
  changes: ChangedFlights,
): void {
  const { flight, wish, free: freeBefore, wait, count } = trial;
  const { mark, delay: now, epoch, flight: changed } = changes;
  let changedCount = changes.count;
  const gap = 60 / regulation.ratePerHour;
  let free = Number.NEGATIVE_INFINITY;
  for (let i = start; i < count; i++) {
    const f = flight[i];
    const x = wish[i];
    freeBefore[i] = free;
    if (x >= free) {
      wait[i] = 0;
      free = x + gap;
      continue;
    }
    const marked = mark[f] === epoch;
    const delay = marked ? now[f] : before[f];
    let extra = waitMinutes(free, x);
    if (extra > MAX_DELAY_MINUTES - delay) extra = MAX_DELAY_MINUTES - delay;
    free += gap;
    wait[i] = extra;
    if (extra === 0) continue;
    now[f] = delay + extra;
    if (!marked) {
      mark[f] = epoch;
      changed[changedCount++] = f;
    }
  }
  freeBefore[count] = free;
  changes.count = changedCount;
}

/** Serves the kept queue from `resumed` on without its changed flights, merged with those joining. Returns where it stopped. */
export function serveMerged(
  resumed: number,
  leavingCount: number,
  joining: Arrivals,
  line: { readonly regulation: Regulation; readonly queue: SlotQueue; readonly delay: Int16Array },
  before: Int16Array,
  trial: SlotQueue,
  changes: ChangedFlights,
): number {
  const { queue, delay: after } = line;
  const { flight: keptFlight, wish: keptWish, free: keptFree, count: keptCount } = queue;
  const { flight: joinFlight, minute: joinWish, count: joinCount } = joining;
  trial.reserve(keptCount - resumed + joinCount);
  const { flight, wish, free: freeBefore, wait } = trial;
  const { mark, delay: now, epoch, flight: changed } = changes;
  const changedBefore = changes.count;
  let changedCount = changedBefore;
  const gap = 60 / line.regulation.ratePerHour;
  let out = trial.count;
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
    if (joined && (at === keptCount || (leaving === 0 && free === keptFree[at]))) break;
    let takeJoining = !joined;
    if (takeJoining && at < keptCount) {
      const x = joinWish[join];
      takeJoining = x < keptWish[at] || (x === keptWish[at] && joinFlight[join] < keptFlight[at]);
    }
    let f: number;
    let x: number;
    let delay: number;
    if (takeJoining) {
      f = joinFlight[join];
      x = joinWish[join++];
      delay = now[f];
    } else {
      f = keptFlight[at];
      x = keptWish[at++];
      delay = before[f];
    }
    flight[out] = f;
    wish[out] = x;
    freeBefore[out] = free;
    let extra = 0;
    if (x >= free) free = x + gap;
    else {
      extra = waitMinutes(free, x);
      if (extra > MAX_DELAY_MINUTES - delay) extra = MAX_DELAY_MINUTES - delay;
      free += gap;
    }
    wait[out++] = extra;
    delay += extra;
    if (takeJoining) now[f] = delay;
    else if (delay !== after[f]) {
      mark[f] = epoch;
      now[f] = delay;
      changed[changedCount++] = f;
    }
  }
  trial.count = out;
  freeBefore[out] = free;
  changes.count = changedCount;
  changes.dropEqual(after, changedBefore);
  return at;
}
