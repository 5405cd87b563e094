// Hot loops: first planned, first served, written three times because each knows something that the others do not. What
// they do to flights becomes a change; the slots themselves are written to `trial` only if there is one.
import { add, addIf, inSet } from "./changed-flights";
import * as columns from "./columns";
import { ARRIVAL, ARRIVAL_FLIGHT, byte, FREE, joining, MINUTE, ROOM, SLOT, SLOT_FLIGHT, WAIT, WISH } from "./columns";

/** A wait that is a whole number of minutes but for rounding errors must not be rounded up; as in regulation.ts. */
const ROUNDING_MINUTES: f64 = 1e-9;

/** Where the next slot is written; 0 if slots are not. */
export let trial: usize = 0;
/** When the queue that was last written is free after its last slot. */
export let freeAfter: f64 = 0;

export function writeSlots(address: usize): void {
  trial = address;
}

/** Whole minutes until a queue is free, at least 0 and at most `room`; without a branch, which would be guessed wrong. */
@inline
function waitMinutes(free: f64, wish: f64, room: i32): i32 {
  const wait = f64x2.ceil(f64x2.splat(free - wish - ROUNDING_MINUTES));
  const limited = f64x2.pmax(f64x2.pmin(wait, f64x2.splat(<f64>room)), f64x2.splat(0));
  return <i32>f64x2.extract_lane(limited, 0);
}

/** When a queue is free that was free then and gives a slot to who comes at `wish`. */
@inline
function freeAgain(free: f64, wish: f64, gap: f64): f64 {
  return f64x2.extract_lane(f64x2.pmax(f64x2.splat(wish), f64x2.splat(free)), 0) + gap;
}

@inline
function push(flight: i32, wish: f64, free: f64, room: i32, wait: i32): void {
  if (trial == 0) return;
  store<f64>(trial, wish, WISH);
  store<f64>(trial, free, FREE);
  store<i32>(trial, flight, SLOT_FLIGHT);
  store<u8>(trial, room, ROOM);
  store<u8>(trial, wait, WAIT);
  trial += SLOT;
}

/** Serves the flights of a kept queue at another rate; changes are against what they waited there. */
export function serveAtOtherRate(slots: usize, count: i32, gap: f64): void {
  const mostDelay = columns.mostDelay;
  let free = -Infinity;
  for (let at = slots, end = slots + <usize>count * SLOT; at < end; at += SLOT) {
    const wish = load<f64>(at, WISH);
    const room = <i32>load<u8>(at, ROOM);
    const flight = load<i32>(at, SLOT_FLIGHT);
    const extra = waitMinutes(free, wish, room);
    push(flight, wish, free, room, extra);
    free = freeAgain(free, wish, gap);
    addIf(extra != <i32>load<u8>(at, WAIT), flight, mostDelay - room + extra);
  }
  freeAfter = free;
}

/** Gives slots to the flights that are joining a line of their own; those that wait become changed. */
export function serveArrivals(count: i32, gap: f64, before: usize): void {
  const mostDelay = columns.mostDelay;
  let free = -Infinity;
  for (let at = joining, end = joining + <usize>count * ARRIVAL; at < end; at += ARRIVAL) {
    const flight = load<i32>(at, ARRIVAL_FLIGHT);
    const wish = load<f64>(at, MINUTE);
    const changed = inSet(flight);
    const delay = byte(select(columns.now, before, changed), flight);
    const extra = waitMinutes(free, wish, mostDelay - delay);
    push(flight, wish, free, mostDelay - delay, extra);
    free = freeAgain(free, wish, gap);
    if (extra == 0) continue;
    if (changed) store<u8>(columns.now + <usize>flight, delay + extra);
    else add(flight, delay + extra);
  }
  freeAfter = free;
}

/**
 * Serves a kept queue from a slot on without its changed flights, `leaving` of them, merged with those joining. Returns where
 * it stopped: at its end or, if it may, where it goes on as before.
 */
export function serveMerged(
  resumed: usize,
  end: usize,
  gap: f64,
  leavingCount: i32,
  joinCount: i32,
  mayStop: bool,
): usize {
  const mostDelay = columns.mostDelay;
  const joinEnd = joining + <usize>joinCount * ARRIVAL;
  let leaving = leavingCount;
  let at = resumed;
  let join = joining;
  let free = load<f64>(at, FREE);
  while (leaving > 0 || join < joinEnd) {
    while (leaving > 0 && at < end && inSet(load<i32>(at, SLOT_FLIGHT))) {
      at += SLOT;
      leaving--;
    }
    const joined = join == joinEnd;
    if (joined && (leaving == 0 || at == end)) break;
    if (mayStop && trial == 0 && free == load<f64>(at, FREE)) {
      // As before up to the next flight that joins or leaves.
      const next = joined ? Infinity : load<f64>(join, MINUTE);
      const was = at;
      while (at < end && load<f64>(at, WISH) < next && (leaving == 0 || !inSet(load<i32>(at, SLOT_FLIGHT)))) {
        at += SLOT;
      }
      if (at > was) {
        free = load<f64>(at, FREE);
        continue;
      }
    }
    const wish = load<f64>(at, WISH);
    if (!joined) {
      const minute = load<f64>(join, MINUTE);
      const flight = load<i32>(join, ARRIVAL_FLIGHT);
      if (at == end || minute < wish || (minute == wish && flight < load<i32>(at, SLOT_FLIGHT))) {
        const delay = byte(columns.now, flight);
        const extra = waitMinutes(free, minute, mostDelay - delay);
        push(flight, minute, free, mostDelay - delay, extra);
        free = freeAgain(free, minute, gap);
        store<u8>(columns.now + <usize>flight, delay + extra);
        join += ARRIVAL;
        continue;
      }
    }
    free = serveSlot(at, wish, free, gap, mostDelay);
    at += SLOT;
  }
  // Nobody joins or leaves any more.
  while (at < end && !(mayStop && free == load<f64>(at, FREE))) {
    free = serveSlot(at, load<f64>(at, WISH), free, gap, mostDelay);
    at += SLOT;
  }
  freeAfter = free;
  return at;
}

/** Gives a flight of a kept queue its slot; returns when the queue is free after it. */
@inline
function serveSlot(at: usize, wish: f64, free: f64, gap: f64, mostDelay: i32): f64 {
  const room = <i32>load<u8>(at, ROOM);
  const flight = load<i32>(at, SLOT_FLIGHT);
  const extra = waitMinutes(free, wish, room);
  push(flight, wish, free, room, extra);
  addIf(extra != <i32>load<u8>(at, WAIT), flight, mostDelay - room + extra);
  return freeAgain(free, wish, gap);
}
