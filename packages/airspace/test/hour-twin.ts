import type { HourMoves, movedHours } from "../src/network/hours/hour-moves.ts";

/** What compiled code does to rolling hours, in plain TypeScript: the twin that tests compare it with. */
export const hoursInTypeScript: typeof movedHours = (columns, visitSets, flightCount) => {
  const { rows, slack, rowExceedance } = columns;
  const { rowShift, perHour } = visitSets[0];
  const rowCount = rows.extraAt.length - 1;
  const moved = new Int32Array(rowCount << rowShift);
  const orders = new Int32Array(2 * flightCount);
  const move = (from: number, to: number): void => {
    moved[from]--;
    moved[to]++;
  };

  const moves: HourMoves = {
    collect: (set, count) => {
      const { start, visit, edgeStart, edgeVolume, edgeMinute, placeOfMinute, delayShift } = visitSets[set];
      for (let order = 0; order < count; order++) {
        const flight = orders[2 * order];
        const old = orders[2 * order + 1] >> 16;
        const now = orders[2 * order + 1] & 0xffff;
        for (let at = start[flight] >> 1; at < start[flight + 1] >> 1; at++) {
          move((visit[at] + delayShift[old]) >> 6, (visit[at] + delayShift[now]) >> 6);
        }
        for (let i = edgeStart[flight]; i < edgeStart[flight + 1]; i++) {
          const row = edgeVolume[i] << rowShift;
          move(row + placeOfMinute[edgeMinute[i] + old], row + placeOfMinute[edgeMinute[i] + now]);
        }
      }
    },

    settle: (kept, held) => {
      let growth = 0;
      for (let volume = 0; volume < rowCount; volume++) {
        growth += settleRow(volume, volume, kept);
        for (let row = rows.extraAt[volume]; row < rows.extraAt[volume + 1]; row++) {
          growth += settleRow(volume, row, kept);
        }
      }
      if (held === 0) moved.fill(0);
      return growth;
    },
  };
  return { ...columns, orders, moves, sets: [...visitSets.keys()] };

  function settleRow(volume: number, row: number, kept: number): number {
    let growth = 0;
    for (let place = 0; place <= (1 << rowShift) - perHour; place++) {
      let change = 0;
      for (let cell = place; cell < place + perHour; cell++) change += moved[(volume << rowShift) + cell];
      const hour = (row << rowShift) + place;
      growth += Math.max(0, slack[hour] + change) - Math.max(0, slack[hour]);
      if (kept !== 0) slack[hour] += change;
    }
    if (kept !== 0) rowExceedance[row] += growth;
    return growth * rows.weight[row];
  }
};
