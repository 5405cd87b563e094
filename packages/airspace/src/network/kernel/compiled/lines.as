// Lines of a plan, served against those of the kept one; kept-lines.ts says which. AssemblyScript is TypeScript's syntax for
// WebAssembly: an access to memory is one instruction here, without a check. `npm run wasm` compiles it.
import { sort } from "./arrivals";
import { add, clear, dropEqual, inSet, listed, meet, metCount, remove, setLinesToCome } from "./changed-flights";
import * as columns from "./columns";
import {
  ARRIVAL,
  ARRIVAL_FLIGHT,
  AT_VOLUME,
  BIT,
  byte,
  DELAY,
  FLOW_BIT,
  FLOWS,
  FREE,
  FROM,
  firstFrom,
  GAP,
  joining,
  LONGEST,
  MINUTE,
  mostDelay,
  ROOM,
  servedBy,
  setWord,
  SLOT,
  SLOT_COUNT,
  SLOT_FLIGHT,
  SLOTS,
  TO,
  VISIT,
  VISIT_COUNT,
  VISIT_OF,
  VISITS,
  WAIT,
  WISH,
  word,
} from "./columns";
import { serveArrivals, serveAtOtherRate, serveMerged, writeSlots } from "./serve-queue";
import { gather } from "./wishes";

export { minutesLater, note, order } from "./changed-flights";
export { open, orders } from "./columns";
export { freeAfter, trial, writeSlots } from "./serve-queue";

/** Which slots of the line last served again are others now. */
export let resumed: i32 = 0;
export let stopped: i32 = 0;

/** The first minute at which a queue meets a changed flight. */
let earliest: f64 = 0;
/** How many flights join it. */
let joined: i32 = 0;

/** Begins with the kept plan's delays. Slots are not written unless that is asked for. */
export function begin(): void {
  clear();
  writeSlots(0);
}

/** Whether some flight was changed so far. */
export function isChanged(): bool {
  return listed > 0;
}

/** Serves a line that the kept plan does not have. */
export function putIn(
  from: f64,
  to: f64,
  gap: f64,
  flows: i32,
  volume: usize,
  before: usize,
  longest: i32,
  linesToCome: i32,
): void {
  setLinesToCome(linesToCome);
  serveArrivals(gather(from, to, flows, volume, before, longest, 0, 0, 0), gap, before);
}

/** Takes out a kept line: changes are from here on against the delay after it. */
export function leaveOut(line: usize, before: usize, linesToCome: i32): void {
  setLinesToCome(linesToCome);
  const after = load<usize>(line, DELAY);
  const slots = load<usize>(line, SLOTS);
  const end = slots + <usize>load<i32>(line, SLOT_COUNT) * SLOT;
  for (let at = slots; at < end; at += SLOT) {
    if (load<u8>(at, WAIT) == 0) continue;
    const f = load<i32>(at, SLOT_FLIGHT);
    if (!inSet(f)) add(f, byte(before, f));
    else if (byte(columns.now, f) == byte(after, f)) remove(f);
  }
}

/** Serves a kept line at another rate. */
export function serveRate(line: usize, gap: f64, linesToCome: i32): void {
  setLinesToCome(linesToCome);
  serveAtOtherRate(load<usize>(line, SLOTS), load<i32>(line, SLOT_COUNT), gap);
}

/**
 * Serves a kept line with another reach or rate: flights that are new in it join its queue, and those not in it leave. Nothing
 * may have changed before it. `whole` if no slot can be as before.
 */
export function refit(
  line: usize,
  from: f64,
  to: f64,
  gap: f64,
  flows: i32,
  before: usize,
  longest: i32,
  whole: bool,
  linesToCome: i32,
): void {
  setLinesToCome(linesToCome);
  const volume = load<usize>(line, AT_VOLUME);
  const was = load<i32>(line, FLOWS);
  const join = gather(from, to, flows, volume, before, longest, load<f64>(line, FROM), load<f64>(line, TO), was);
  let first = join > 0 ? load<f64>(joining, MINUTE) : Infinity;
  for (let at = joining, end = joining + <usize>join * ARRIVAL; at < end; at += ARRIVAL) {
    const f = load<i32>(at, ARRIVAL_FLIGHT);
    add(f, byte(before, f));
  }
  const visitOf = load<usize>(volume, VISIT_OF);
  const slots = load<usize>(line, SLOTS);
  const count = load<i32>(line, SLOT_COUNT);
  const end = slots + <usize>count * SLOT;
  const stay = firstFrom(slots, count, SLOT, from);
  const stayEnd = firstFrom(slots, count, SLOT, to);
  const fewerFlows = (was & ~flows) != 0;
  let leaving = 0;
  for (let at = slots; at < end; at += SLOT) {
    if (at >= stay && at < stayEnd) {
      if (!fewerFlows) {
        at = stayEnd - SLOT;
        continue;
      }
      if ((load<i32>(word(visitOf, load<i32>(at, SLOT_FLIGHT)), FLOW_BIT) & flows) != 0) continue;
    }
    add(load<i32>(at, SLOT_FLIGHT), mostDelay - <i32>load<u8>(at, ROOM));
    if (leaving++ == 0) first = min(first, load<f64>(at, WISH));
  }
  const unsettled = listed;
  const begun = whole ? slots : firstFrom(slots, count, SLOT, first);
  serveMerged(begun, end, gap, leaving, join, !whole);
  dropEqual(columns.list, unsettled, load<usize>(line, DELAY));
}

/** Serves a kept line where a changed flight joins, leaves or moves in its queue; ends where nothing differs any more. */
export function serveAgain(line: usize, before: usize, linesToCome: i32): void {
  setLinesToCome(linesToCome);
  resumed = 0;
  stopped = 0;
  const leaving = meetLine(line, before);
  if (leaving + joined == 0) return;
  const slots = load<usize>(line, SLOTS);
  const count = load<i32>(line, SLOT_COUNT);
  const from = firstFrom(slots, count, SLOT, earliest);
  const end = slots + <usize>count * SLOT;
  const to = serveMerged(from, end, load<f64>(line, GAP), leaving, joined, true);
  dropEqual(columns.met, metCount, load<usize>(line, DELAY));
  resumed = <i32>((from - slots) / SLOT);
  stopped = <i32>((to - slots) / SLOT);
}

/** Finds the changed flights that join a kept line's queue, sorted, and counts those that leave their place in it. */
function meetLine(line: usize, before: usize): i32 {
  joined = 0;
  const volume = load<usize>(line, AT_VOLUME);
  const visitOf = load<usize>(volume, VISIT_OF);
  meet(load<i32>(line, BIT), load<i32>(line, FLOWS), visitOf);
  if (metCount == 0) return 0;
  const from = load<f64>(line, FROM);
  const to = load<f64>(line, TO);
  let leaving = 0;
  let join = joining;
  let first = Infinity;
  for (let m = 0; m < metCount; m++) {
    const f = word(columns.met, m);
    if (!inSet(f)) continue;
    const minute = load<f64>(word(visitOf, f), MINUTE);
    const was = minute + <f64>byte(before, f);
    const is = minute + <f64>byte(columns.now, f);
    if (was >= from && was < to) {
      leaving++;
      first = min(first, was);
    }
    if (is >= from && is < to) {
      store<f64>(join, is, MINUTE);
      store<i32>(join, f, ARRIVAL_FLIGHT);
      join += ARRIVAL;
      first = min(first, is);
    }
  }
  joined = <i32>((join - joining) / ARRIVAL);
  if (joined > 0) sort(joining, joined, from, to);
  earliest = first;
  return leaving;
}

/** Counts per flow, a word each, the flights that first enter a volume in [from, to) with some delays, none above `longest`. */
export function countEntrants(volume: usize, from: f64, to: f64, delay: usize, longest: i32, counts: usize): void {
  const visits = load<usize>(volume, VISITS);
  const count = load<i32>(volume, VISIT_COUNT);
  const end = firstFrom(visits, count, VISIT, to);
  memory.fill(counts, 0, 32 << 2);
  for (let visit = firstFrom(visits, count, VISIT, from - <f64>longest); visit < end; visit += VISIT) {
    const minute = load<f64>(visit, MINUTE) + <f64>byte(delay, load<i32>(visit, ARRIVAL_FLIGHT));
    const flow = ctz(load<i32>(visit, FLOW_BIT));
    // Counted without a branch, which would be guessed wrong.
    setWord(counts, flow, word(counts, flow) + (i32(minute >= from) & i32(minute < to)));
  }
}

/** Replaces slots [from, to) of a line by those from an address on; there is room for them. `free` counts from its end on. */
export function splice(line: usize, from: i32, to: i32, trial: usize, added: i32, free: f64): void {
  const slots = load<usize>(line, SLOTS);
  const count = load<i32>(line, SLOT_COUNT);
  const at = slots + <usize>(from + added) * SLOT;
  memory.copy(at, slots + <usize>to * SLOT, <usize>(count - to + 1) * SLOT);
  memory.copy(slots + <usize>from * SLOT, trial, <usize>added * SLOT);
  const end = slots + <usize>(count - to + from + added) * SLOT;
  if (to == count) store<f64>(end, free, FREE);
  let longest = 0;
  for (let slot = slots; slot < end; slot += SLOT) {
    longest = max(longest, mostDelay - <i32>load<u8>(slot, ROOM) + <i32>load<u8>(slot, WAIT));
  }
  store<i32>(line, count - to + from + added, SLOT_COUNT);
  store<i32>(line, longest, LONGEST);
}

/** The delay after a new line: as before it, and what its slots add. */
export function delayFrom(line: usize, before: usize): void {
  const delay = load<usize>(line, DELAY);
  memory.copy(delay, before, columns.flightCount);
  const slots = load<usize>(line, SLOTS);
  const end = slots + <usize>load<i32>(line, SLOT_COUNT) * SLOT;
  for (let at = slots; at < end; at += SLOT) {
    const f = <usize>load<i32>(at, SLOT_FLIGHT);
    store<u8>(delay + f, load<u8>(delay + f) + load<u8>(at, WAIT));
  }
}

/** The delay after a kept line, as a stretch of the log has it. */
export function delayAsNoted(line: usize, from: usize, to: usize): void {
  const delay = load<usize>(line, DELAY);
  for (let at = from; at < to; at += 4) {
    const noted = load<u32>(at);
    store<u8>(delay + <usize>(noted & 0xffffff), noted >> 24);
  }
}

/** Marks the flights that a line may ever serve with its bit, whatever their delay; `set` is -1, or 0 to take it away. */
export function markServed(line: usize, set: i32): void {
  const volume = load<usize>(line, AT_VOLUME);
  const visits = load<usize>(volume, VISITS);
  const count = load<i32>(volume, VISIT_COUNT);
  const bit = load<i32>(line, BIT);
  const flows = load<i32>(line, FLOWS);
  const end = firstFrom(visits, count, VISIT, load<f64>(line, TO));
  for (let at = firstFrom(visits, count, VISIT, load<f64>(line, FROM) - <f64>mostDelay); at < end; at += VISIT) {
    if ((load<i32>(at, FLOW_BIT) & flows) == 0) continue;
    const f = load<i32>(at, ARRIVAL_FLIGHT);
    setWord(servedBy, f, (word(servedBy, f) & ~bit) | (bit & set));
  }
}
