// The two hot loops of HourSlack in AssemblyScript, TypeScript's syntax for WebAssembly: an access to memory is one
// instruction here, without a check. `npm run wasm` compiles it into hour-moves-wasm.ts; hour-moves.ts sets the globals and
// calls the functions; packages/airspace/test/hour-twin.ts does the same in plain TypeScript.
//
// Pointers are addresses of columns that typed arrays share. Words have 4 bytes.

/** How the visits of this module are laid out; see FlightVisits. */
export let start: usize = 0;
export let visit: usize = 0;
export let edgeStart: usize = 0;
export let edgeVolume: usize = 0;
export let edgeMinute: usize = 0;
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

/** Sums up per cell which visits of the flights in `orders` leave it and which come to it. */
export function collect(count: i32): void {
  let move = moves;
  const ordersEnd = orders + (<usize>count << 3);
  let rows = touched + (<usize>rowCount << 2);
  // First which visits move, without a branch that could be guessed wrong, so that many are fetched at once.
  for (let order = orders; order < ordersEnd; order += 8) {
    const delays = load<i32>(order, 4);
    const was = word(delayShift, delays >> 16);
    const is = word(delayShift, delays & 0xffff);
    const flight = start + (<usize>load<i32>(order) << 2);
    const first = load<i32>(flight);
    const end = visit + (<usize>(load<i32>(flight, 4) >> 1) << 2);
    for (let at = visit + (<usize>(first >> 1) << 2); at < end; at += 4) {
      const undelayed = load<i32>(at);
      const from = (undelayed + was) >> 6;
      const to = (undelayed + is) >> 6;
      store<i32>(move, from);
      store<i32>(move, to, 4);
      move += select<usize>(8, 0, from != to);
    }
    if ((first & 1) != 0) rows = collectAtEdge(load<i32>(order), delays, rows);
  }
  for (let m = moves; m < move; m += 8) rows = moveVisit(load<i32>(m), load<i32>(m, 4), rows);
  rowsEnd = rows;
}

/** The same for the visits that a delay can take across an end of the day. */
function collectAtEdge(flight: i32, delays: i32, rows: usize): usize {
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
  const lastPlace = (1 << rowShift) - perHour;
  let growth: f64 = 0;
  for (let r = touched + (<usize>rowCount << 2); r < rowsEnd; r += 4) {
    const row = load<i32>(r);
    const blocks = word(touched, row);
    setWord(touched, row, blocks & held);
    const start = row << rowShift;
    const first = start + more((ctz(blocks) << blockShift) - perHour + 1, 0);
    const last = start + less(((32 - clz(blocks)) << blockShift) - 1, lastPlace);
    // Capacities that a volume has in some draws only.
    const extraEnd = word(extraAt, row + 1);
    for (let extra = word(extraAt, row); extra < extraEnd; extra++) {
      growth += settleRow(extra, (extra - row) << rowShift, first, last, kept, -1);
    }
    growth += settleRow(row, 0, first, last, kept, held);
  }
  return growth;
}

/** Looks at the rolling hours of a stretch of cells against a row of capacities that is `away` from them. */
@inline
function settleRow(row: i32, away: i32, first: i32, last: i32, kept: i32, held: i32): f64 {
  let change = 0;
  let growth = 0;
  let at = moved + (<usize>first << 2);
  let hour = slack + (<usize>(first + away) << 2);
  const ahead = <usize>(perHour - 1) << 2;
  const end = moved + (<usize>last << 2);
  for (; at <= end; at += 4, hour += 4) {
    change += load<i32>(at + ahead);
    const before = load<i32>(hour);
    growth += more(before + change, 0) - more(before, 0);
    store<i32>(hour, before + (change & kept));
    const here = load<i32>(at);
    change -= here;
    store<i32>(at, here & held);
  }
  setWord(rowExceedance, row, word(rowExceedance, row) + (growth & kept));
  return <f64>growth * <f64>word(weight, row);
}
