// The two hot loops of HourSlack in AssemblyScript, TypeScript's syntax for WebAssembly: an access to memory is one
// instruction here, without a check. `npm run wasm` compiles it into hour-moves-wasm.ts; hour-moves.ts sets the globals and
// calls the functions; packages/airspace/test/hour-twin.ts does the same in plain TypeScript.
//
// Pointers are addresses of columns that typed arrays share. Words have 4 bytes.

/** A set of visits is five addresses: its columns in FlightVisits. */
const START: usize = 0;
const VISIT: usize = 4;
const EDGE_START: usize = 8;
const EDGE_VOLUME: usize = 12;
const EDGE_MINUTE: usize = 16;
/** The same in all sets; see FlightVisits. */
export let placeOfMinute: usize = 0;
export let delayShift: usize = 0;

/** Rows of cells, and of capacities; see HourSlack. */
export let rowShift: i32 = 0;
export let perHour: i32 = 0;
export let rowCount: i32 = 0;
export let extraAt: usize = 0;
export let weight: usize = 0;
export let rowExceedance: usize = 0;
export let slack: usize = 0;
/** Visits that come to a cell minus those that leave it. */
export let moved: usize = 0;
/** Per row, a bit for each of its 32 blocks of cells with moves; then the rows with a bit. */
export let touched: usize = 0;

/** Who moves: flight, and its old delay times 65536 plus the new one. */
export let orders: usize = 0;
/** Visits that move: from which cell, and to which. */
export let moves: usize = 0;

/** Where in `touched` the list of rows ends. */
let rowsEnd: usize = 0;

@inline
function word(column: usize, at: i32): i32 {
  return load<i32>(column + (<usize>at << 2));
}

@inline
function setWord(column: usize, at: i32, value: i32): void {
  store<i32>(column + (<usize>at << 2), value);
}

@inline
function less(a: i32, b: i32): i32 {
  return select(a, b, a < b);
}

@inline
function more(a: i32, b: i32): i32 {
  return select(a, b, a > b);
}

/** Sums up per cell which visits of a set leave it and which come to it, for the first `count` flights in `orders`. */
export function collect(set: usize, count: i32): void {
  const start = load<usize>(set, START);
  const visit = load<usize>(set, VISIT);
  let move = moves;
  const ordersEnd = orders + (<usize>count << 3);
  let rows = touched + (<usize>rowCount << 2);
  // First which visits move, without a branch that could be guessed wrong, so that many are fetched at once: four at a time,
  // of which the last may be those of the next flights.
  for (let order = orders; order < ordersEnd; order += 8) {
    const delays = load<i32>(order, 4);
    const was = v128.load32_splat(delayShift + (<usize>(delays >> 16) << 2));
    const is = v128.load32_splat(delayShift + (<usize>(delays & 0xffff) << 2));
    const flight = start + (<usize>load<i32>(order) << 2);
    const first = load<i32>(flight);
    let at = visit + (<usize>(first >> 1) << 2);
    let left = (load<i32>(flight, 4) >> 1) - (first >> 1);
    do {
      const undelayed = v128.load(at);
      const from = i32x4.shr_s(i32x4.add(undelayed, was), 6);
      const to = i32x4.shr_s(i32x4.add(undelayed, is), 6);
      const moved = i32x4.bitmask(i32x4.ne(from, to)) & ((1 << less(left, 4)) - 1);
      const early = i32x4.shuffle(from, to, 0, 4, 1, 5);
      const later = i32x4.shuffle(from, to, 2, 6, 3, 7);
      v128.store64_lane(move, early, 0);
      move += <usize>(moved & 1) << 3;
      v128.store64_lane(move, early, 1);
      move += <usize>(moved & 2) << 2;
      v128.store64_lane(move, later, 0);
      move += <usize>(moved & 4) << 1;
      v128.store64_lane(move, later, 1);
      move += <usize>(moved & 8);
      at += 16;
      left -= 4;
    } while (left > 0);
    if ((first & 1) != 0) rows = collectAtEdge(set, load<i32>(order), delays, rows);
  }
  for (let m = moves; m < move; m += 8) rows = moveVisit(load<i32>(m), load<i32>(m, 4), rows);
  rowsEnd = rows;
}

/** The same for the visits that a delay can take across an end of the day. */
function collectAtEdge(set: usize, flight: i32, delays: i32, rows: usize): usize {
  const edgeStart = load<usize>(set, EDGE_START);
  const edgeVolume = load<usize>(set, EDGE_VOLUME);
  const edgeMinute = load<usize>(set, EDGE_MINUTE);
  const end = word(edgeStart, flight + 1);
  for (let i = word(edgeStart, flight); i < end; i++) {
    const minute = word(edgeMinute, i);
    const row = word(edgeVolume, i) << rowShift;
    const from = row + word(placeOfMinute, minute + (delays >> 16));
    const to = row + word(placeOfMinute, minute + (delays & 0xffff));
    if (from != to) rows = moveVisit(from, to, rows);
  }
  return rows;
}

/** Returns where the list of touched rows ends now. */
@inline
function moveVisit(from: i32, to: i32, rows: usize): usize {
  setWord(moved, from, word(moved, from) - 1);
  setWord(moved, to, word(moved, to) + 1);
  const row = from >> rowShift;
  const blockShift = rowShift - 5;
  const blocks = word(touched, row);
  // Shifts take the last five bits of a block's number, which are those within its row.
  setWord(touched, row, blocks | (1 << (from >> blockShift)) | (1 << (to >> blockShift)));
  // One more row where there was no block yet.
  store<i32>(rows, row);
  return rows + select<usize>(4, 0, blocks == 0);
}

/**
 * By how much exceedance grows by what was collected. `kept` is -1 if the moves are to stay, 0 if not; `held` is -1 if they
 * are needed once more.
 */
export function settle(kept: i32, held: i32): f64 {
  const blockShift = rowShift - 5;
  let growth: f64 = 0;
  for (let r = touched + (<usize>rowCount << 2); r < rowsEnd; r += 4) {
    const row = load<i32>(r);
    const blocks = word(touched, row);
    setWord(touched, row, blocks & held);
    const start = row << rowShift;
    // Whole groups of four cells, of which the outer ones may have no moves.
    const first = start + (more((ctz(blocks) << blockShift) - perHour + 1, 0) & ~3);
    const end = start + ((((32 - clz(blocks)) << blockShift) + 3) & ~3);
    // Capacities that a volume has in some draws only.
    const extraEnd = word(extraAt, row + 1);
    for (let extra = word(extraAt, row); extra < extraEnd; extra++) {
      growth += settleRow(extra, (extra - row) << rowShift, first, end, kept, -1);
    }
    growth += settleRow(row, 0, first, end, kept, held);
  }
  return growth;
}

/** Looks at the rolling hours of a stretch of cells, four at a time, against a row of capacities that is `away` from them. */
@inline
function settleRow(row: i32, away: i32, first: i32, end: i32, kept: i32, held: i32): f64 {
  const zero = i32x4.splat(0);
  let grown = zero;
  let hour = slack + (<usize>(first + away) << 2);
  const hourEnd = moved + (<usize>end << 2);
  for (let at = moved + (<usize>first << 2); at < hourEnd; at += 16, hour += 16) {
    let change = v128.load(at);
    for (let later = 1; later < perHour; later++) change = i32x4.add(change, v128.load(at + (<usize>later << 2)));
    const before = v128.load(hour);
    const after = i32x4.add(before, change);
    grown = i32x4.add(grown, i32x4.sub(i32x4.max_s(after, zero), i32x4.max_s(before, zero)));
    if (kept != 0) v128.store(hour, after);
    // Hours to come do not have these cells.
    if (held == 0) v128.store(at, zero);
  }
  const growth =
    i32x4.extract_lane(grown, 0) +
    i32x4.extract_lane(grown, 1) +
    i32x4.extract_lane(grown, 2) +
    i32x4.extract_lane(grown, 3);
  setWord(rowExceedance, row, word(rowExceedance, row) + (growth & kept));
  return <f64>growth * <f64>word(weight, row);
}
