import { type ColumnArrays, TOP } from "./columns.ts";

/** Below this a week is too small to rank a player by. */
const RANKED_FROM_POINTS = 3;

/** The parts of the columns that describe who is ranked against whom. */
export type GroupArrays = Pick<
  ColumnArrays,
  | "groupRanked"
  | "rankedRow"
  | "actualRank"
  | "actualSpread"
  | "nameInGroup"
  | "topFlags"
  | "comparisons"
  | "actualSquares"
>;

/** Works out, for every group, what the actuals alone decide. `names` has the player's name of each row. */
export function buildGroups(groupRows: Int32Array, actual: Float64Array, names: readonly string[]): GroupArrays {
  const groupCount = groupRows.length - 1;
  const groupRanked = new Int32Array(groupCount + 1);
  const rows: number[] = [];
  for (let group = 0; group < groupCount; group++) {
    for (let row = groupRows[group]; row < groupRows[group + 1]; row++) {
      if (actual[row] >= RANKED_FROM_POINTS) rows.push(row);
    }
    groupRanked[group + 1] = rows.length;
  }
  const arrays: GroupArrays = {
    groupRanked,
    rankedRow: Int32Array.from(rows),
    actualRank: new Uint16Array(rows.length),
    actualSpread: new Int32Array(rows.length),
    nameInGroup: new Uint16Array(rows.length),
    topFlags: new Uint8Array(rows.length),
    comparisons: new Float64Array(groupCount),
    actualSquares: new Float64Array(groupCount),
  };
  for (let group = 0; group < groupCount; group++) {
    rankActuals(arrays, group, actual);
    markTops(arrays, group, actual, names);
  }
  return arrays;
}

function rankActuals(arrays: GroupArrays, group: number, actual: Float64Array): void {
  const start = arrays.groupRanked[group];
  const count = arrays.groupRanked[group + 1] - start;
  const value = (i: number) => actual[arrays.rankedRow[start + i]];
  const ascending = Array.from({ length: count }, (_, i) => i).sort((a, b) => value(a) - value(b));
  let dense = 0;
  let different = (count * (count - 1)) / 2;
  let squares = 0;
  for (let i = 0; i < count; ) {
    let end = i + 1;
    while (end < count && value(ascending[end]) === value(ascending[i])) end++;
    dense++;
    different -= ((end - i) * (end - i - 1)) / 2;
    // Ranks i + 1 … end share their average; twice it is i + 1 + end.
    const spread = i + 1 + end - (count + 1);
    for (let k = i; k < end; k++) {
      arrays.actualRank[start + ascending[k]] = dense;
      arrays.actualSpread[start + ascending[k]] = spread;
      squares += spread * spread;
    }
    i = end;
  }
  arrays.comparisons[group] = different;
  arrays.actualSquares[group] = squares;
}

function markTops(arrays: GroupArrays, group: number, actual: Float64Array, names: readonly string[]): void {
  const start = arrays.groupRanked[group];
  const rows = arrays.rankedRow.subarray(start, arrays.groupRanked[group + 1]);
  const numbers = new Map<string, number>();
  rows.forEach((row, i) => {
    const name = names[row] ?? "";
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    arrays.nameInGroup[start + i] = numbers.get(name) ?? 0;
  });
  const descending = Array.from(rows, (_, i) => i).sort((a, b) => actual[rows[b]] - actual[rows[a]]);
  for (const [n, flag] of [
    [5, TOP.five],
    [10, TOP.ten],
    [20, TOP.twenty],
  ] as const) {
    for (const i of descending.slice(0, n)) arrays.topFlags[start + arrays.nameInGroup[start + i]] |= flag;
  }
}
