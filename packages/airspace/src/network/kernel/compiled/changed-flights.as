// The flights whose delay differs from the kept plan's at the line that is being looked at, and a log of such sets.
import { byte, FLOW_BIT, flightCount, linkedBits, linkedFlight, list, mark, met, now, orders, servedBy, setWord, word } from "./columns";

/** Marks are bytes with a sign; after this epoch they begin anew. */
const LAST_EPOCH: i32 = 127;

/** `mark` is `epoch` for flights in the set, `-epoch` for those that were taken out of it again; `now` is their delay. */
export let epoch: i32 = 0;
/** The first `listed` of `list` were put into the set at some time, each once. */
export let listed: i32 = 0;
/** The first `linked` are those listed flights that lines to come may serve, and the bits of these lines. */
export let linked: i32 = 0;
/** Bits of the lines that are still to come, as far as they have one. */
export let linesToCome: i32 = 0;
/** How many of `met` the line may serve that is being looked at. */
export let metCount: i32 = 0;
/** By how many minutes all flights that were last ordered to move are later than before. */
export let minutesLater: i32 = 0;

export function setLinesToCome(bits: i32): void {
  linesToCome = bits;
}

/** Empties the set. */
export function clear(): void {
  listed = 0;
  linked = 0;
  if (epoch == LAST_EPOCH) {
    memory.fill(mark, 0, flightCount);
    epoch = 0;
  }
  epoch++;
}

@inline
export function inSet(f: i32): bool {
  return <i32>load<i8>(mark + <usize>f) == epoch;
}

/** Puts a flight into the set that is not in it. */
@inline
export function add(f: i32, delay: i32): void {
  const again = <i32>load<i8>(mark + <usize>f) == -epoch;
  store<i8>(mark + <usize>f, epoch);
  store<u8>(now + <usize>f, delay);
  if (again) return;
  setWord(list, listed++, f);
  const bits = word(servedBy, f) & linesToCome;
  setWord(linkedFlight, linked, f);
  setWord(linkedBits, linked, bits);
  // Counted without a branch, which would be guessed wrong.
  linked += i32(bits != 0);
}

/** Puts a flight into the set that is not in it, if its delay `differs`; without a branch, which would be guessed wrong. */
@inline
export function addIf(differs: bool, f: i32, delay: i32): void {
  const was = <i32>load<i8>(mark + <usize>f);
  store<i8>(mark + <usize>f, select(epoch, was, differs));
  store<u8>(now + <usize>f, delay);
  const isNew = i32(differs) & i32(was != -epoch);
  setWord(list, listed, f);
  listed += isNew;
  const bits = word(servedBy, f) & linesToCome;
  setWord(linkedFlight, linked, f);
  setWord(linkedBits, linked, bits);
  linked += isNew & i32(bits != 0);
}

/** Takes a flight out of the set. */
@inline
export function remove(f: i32): void {
  store<i8>(mark + <usize>f, -epoch);
}

/** Finds the listed flights that a line may serve: those with its bit or, if it has none, in its flows. */
export function meet(bit: i32, flows: i32, visitOf: usize): void {
  let count = 0;
  if (bit == 0) {
    for (let s = 0; s < listed; s++) {
      const f = word(list, s);
      setWord(met, count, f);
      count += i32((load<i32>(word(visitOf, f), FLOW_BIT) & flows) != 0);
    }
  } else {
    const wanted = i32x4.splat(bit);
    for (let s = 0; s < linked; s += 4) {
      // Four at a time, most of which meet no line.
      if (!v128.any_true(v128.and(v128.load(linkedBits + (<usize>s << 2)), wanted))) continue;
      const end = min(s + 4, linked);
      for (let each = s; each < end; each++) {
        setWord(met, count, word(linkedFlight, each));
        count += i32((word(linkedBits, each) & bit) != 0);
      }
    }
  }
  metCount = count;
}

/** Takes out those of some listed flights whose delay is that of `delay` after all. */
export function dropEqual(flights: usize, count: i32, delay: usize): void {
  for (let m = 0; m < count; m++) {
    const f = word(flights, m);
    if (inSet(f) && byte(now, f) == byte(delay, f)) remove(f);
  }
}

/** Writes an order for every flight in the set: the flight, its delay `before` times 65536 plus the one now. Returns how many. */
export function order(before: usize): i32 {
  let count = 0;
  let later = 0;
  for (let s = 0; s < listed; s++) {
    const f = word(list, s);
    const was = byte(before, f);
    const is = byte(now, f);
    const at = orders + (<usize>count << 3);
    store<i32>(at, f);
    store<i32>(at, (was << 16) | is, 4);
    // Counted without a branch, which would be guessed wrong.
    const one = i32(inSet(f));
    later += (is - was) * one;
    count += one;
  }
  minutesLater = later;
  return count;
}

/** Writes the set to a log, delay times 2^24 plus flight; returns where the log ends. */
export function note(log: usize): usize {
  let at = log;
  for (let s = 0; s < listed; s++) {
    const f = word(list, s);
    store<i32>(at, (byte(now, f) << 24) | f);
    at += select<usize>(4, 0, inSet(f));
  }
  return at;
}
