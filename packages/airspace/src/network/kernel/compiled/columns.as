// Where everything is in memory, and what an entry of each list is made of. Addresses are bytes; `open` lays the columns out
// one after the other. Fields are read and written with `load(entry, field)`.

/** A slot that a line gave out. `free` is the first free minute before it; the entry after a queue's last has only that. */
export const SLOT: usize = 24;
export const WISH: usize = 0;
export const FREE: usize = 8;
export const SLOT_FLIGHT: usize = 16;
/** Minutes of delay the flight could still be given, and how many it was given; bytes. */
export const ROOM: usize = 20;
export const WAIT: usize = 21;

/** A flight that wants to enter, and when. */
export const ARRIVAL: usize = 16;
export const MINUTE: usize = 0;
export const ARRIVAL_FLIGHT: usize = 8;

/** A flight's first visit to a volume; begins as an arrival does. */
export const VISIT: usize = 16;
export const FLOW_BIT: usize = 12;

/** First visits to a volume: how many, sorted by (minute, flight), then where that of each flight is; 0, where all is 0, if there is none. */
export const VISIT_COUNT: usize = 0;
export const VISITS: usize = 4;
export const VISIT_OF: usize = 8;

/** A line of the kept plan: its window in minutes, minutes from slot to slot, flows; what it did. */
export const FROM: usize = 0;
export const TO: usize = 8;
export const GAP: usize = 16;
export const FLOWS: usize = 24;
export const BIT: usize = 28;
export const AT_VOLUME: usize = 32;
export const SLOTS: usize = 36;
export const SLOT_COUNT: usize = 40;
/** Delay of every flight after the line, a byte each; and the longest with which a flight leaves it. */
export const DELAY: usize = 44;
export const LONGEST: usize = 48;

/** No flight is delayed by more minutes than this. */
export let mostDelay: i32 = 0;
export let flightCount: i32 = 0;

/** Flights whose delay differs from the kept plan's: see changed-flights. */
export let mark: usize = 0;
export let now: usize = 0;
export let servedBy: usize = 0;
export let list: usize = 0;
export let linkedFlight: usize = 0;
export let linkedBits: usize = 0;
export let met: usize = 0;
export let orders: usize = 0;

/** Arrivals that join a queue, those of them that are late, and room to sort them in. */
export let joining: usize = 0;
export let late: usize = 0;
export let sorted: usize = 0;
export let buckets: usize = 0;
export let bucketCount: i32 = 0;
/** Addresses of first visits. */
export let candidates: usize = 0;

let end: usize = 0;

/** Lays out the columns from an address on; returns where they end. */
export function open(start: usize, flights: i32, delayLimit: i32, dayMinutes: i32): usize {
  flightCount = flights;
  mostDelay = delayLimit;
  bucketCount = dayMinutes + 2;
  end = start;
  const each = <usize>flights + 4;
  mark = take(each);
  now = take(each);
  servedBy = take(each << 2);
  list = take(each << 2);
  linkedFlight = take(each << 2);
  linkedBits = take(each << 2);
  met = take(each << 2);
  orders = take(each << 3);
  joining = take(each * ARRIVAL);
  late = take(each * ARRIVAL);
  sorted = take(each * ARRIVAL);
  buckets = take((<usize>bucketCount + 1) << 2);
  candidates = take(each << 2);
  return end;
}

function take(bytes: usize): usize {
  const start = end;
  end = (start + bytes + 15) & ~15;
  return start;
}

@inline
export function byte(column: usize, at: i32): i32 {
  return <i32>load<u8>(column + <usize>at);
}

@inline
export function word(column: usize, at: i32): i32 {
  return load<i32>(column + (<usize>at << 2));
}

@inline
export function setWord(column: usize, at: i32, value: i32): void {
  store<i32>(column + (<usize>at << 2), value);
}

/** The first entry, each `size` bytes and beginning with a minute, that is not before `limit`; entries are ascending. */
export function firstFrom(start: usize, count: i32, size: usize, limit: f64): usize {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<f64>(start + <usize>middle * size) < limit) low = middle + 1;
    else high = middle;
  }
  return start + <usize>low * size;
}
