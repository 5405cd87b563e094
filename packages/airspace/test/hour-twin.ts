import type { HourMoves, movedHours } from "../src/network/hours/hour-moves.ts";

/** What compiled code does to rolling hours, in plain TypeScript: the twin that tests compare it with. */
export const hoursInTypeScript: typeof movedHours = (columns, visitSets, flightCount) => {
  const { rows, slack, rowExceedance } = columns;
  const { rowShift, perHour } = visitSets[0];
  const rowCount = rows.extraAt.length - 1;
  const moved = new Int32Array(rowCount << rowShift);
  const orders = new Int32Array(2 * flightCount);
  const movers = visitSets.map((visits): HourMoves => {
    const { recordWords, record, visitsAt, edgeStart, edgeVolume, edgeMinute, placeOfMinute, delayShift } = visits;
    const recordBytes = new Uint8Array(record.buffer);

    const move = (from: number, to: number): void => {
      moved[from]--;
      moved[to]++;
    };

    const collect = (count: number): void => {
      for (let order = 0; order < count; order++) {
        const flight = orders[2 * order];
        const old = orders[2 * order + 1] >> 16;
        const now = orders[2 * order + 1] & 0xffff;
        const head = flight * recordWords;
        const inside = record[head] < 0 ? -record[head] - 1 : record[head];
        for (let visit = 0; visit < inside; visit++) {
          const binsLater = (delay: number): number => {
            const shift = delayShift[delay];
            return (shift >> 8) + (visit >= recordBytes[4 * head + 4 + (shift & 255)] ? 1 : 0);
          };
          const cell = record[head + visitsAt + visit];
          move(cell + binsLater(old), cell + binsLater(now));
        }
        for (let i = edgeStart[flight]; i < edgeStart[flight + 1]; i++) {
          const start = edgeVolume[i] << rowShift;
          move(start + placeOfMinute[edgeMinute[i] + old], start + placeOfMinute[edgeMinute[i] + now]);
        }
      }
    };

    const settle = (kept: number, held: number): number => {
      let growth = 0;
      for (let volume = 0; volume < rowCount; volume++) {
        growth += settleRow(volume, volume, kept);
        for (let row = rows.extraAt[volume]; row < rows.extraAt[volume + 1]; row++) {
          growth += settleRow(volume, row, kept);
        }
      }
      if (held === 0) moved.fill(0);
      return growth;
    };

    return { collect, settle };
  });
  return { ...columns, orders, movers };

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
