// Lists of arrivals sorted by (minute, flight).
import { ARRIVAL, ARRIVAL_FLIGHT, bucketCount, buckets, MINUTE, setWord, sorted, word } from "./columns";

/** Sorts arrivals whose minutes lie in [from, to): into buckets of a minute, then by insertion. */
export function sort(start: usize, count: i32, from: f64, to: f64): void {
  const bytes = <usize>count * ARRIVAL;
  if (count >= 12) {
    const first = floor(from);
    const used = <i32>min(ceil(to) - first + 1, <f64>bucketCount);
    memory.fill(buckets, 0, (<usize>used + 1) << 2);
    for (let at = start; at < start + bytes; at += ARRIVAL) {
      const bucket = bucketOf(at, first, used) + 1;
      setWord(buckets, bucket, word(buckets, bucket) + 1);
    }
    for (let b = 0; b < used; b++) setWord(buckets, b + 1, word(buckets, b + 1) + word(buckets, b));
    for (let at = start; at < start + bytes; at += ARRIVAL) {
      const bucket = bucketOf(at, first, used);
      const place = word(buckets, bucket);
      setWord(buckets, bucket, place + 1);
      copy(sorted + <usize>place * ARRIVAL, at);
    }
    memory.copy(start, sorted, bytes);
  }
  for (let next = start + ARRIVAL; next < start + bytes; next += ARRIVAL) {
    const minute = load<f64>(next, MINUTE);
    const flight = load<i32>(next, ARRIVAL_FLIGHT);
    let at = next;
    while (at > start && isAfter(at - ARRIVAL, minute, flight)) {
      copy(at, at - ARRIVAL);
      at -= ARRIVAL;
    }
    store<f64>(at, minute, MINUTE);
    store<i32>(at, flight, ARRIVAL_FLIGHT);
  }
}

@inline
function bucketOf(arrival: usize, first: f64, used: i32): i32 {
  return min(<i32>(load<f64>(arrival, MINUTE) - first), used - 1);
}

/** Merges sorted others into sorted arrivals that have room for them behind. */
export function mergeIn(start: usize, count: i32, others: usize, otherCount: i32): void {
  let at = start + <usize>count * ARRIVAL;
  let other = others + <usize>otherCount * ARRIVAL;
  let to = at + <usize>otherCount * ARRIVAL;
  // From the end, so that what comes before the first of the others stays where it is.
  while (other > others) {
    to -= ARRIVAL;
    const otherFlight = load<i32>(other - ARRIVAL, ARRIVAL_FLIGHT);
    if (at > start && isAfter(at - ARRIVAL, load<f64>(other - ARRIVAL, MINUTE), otherFlight)) copy(to, (at -= ARRIVAL));
    else copy(to, (other -= ARRIVAL));
  }
}

@inline
function isAfter(arrival: usize, minute: f64, flight: i32): bool {
  const its = load<f64>(arrival, MINUTE);
  return its > minute || (its == minute && load<i32>(arrival, ARRIVAL_FLIGHT) > flight);
}

@inline
function copy(to: usize, from: usize): void {
  v128.store(to, v128.load(from));
}
