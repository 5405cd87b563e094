import { type Instance, wholeCapacity } from "../../instance/instance.ts";
import { type FlightVisits, flightVisitsOf } from "./flight-visits.ts";

/** Counts and capacities below this fit into 16 bits, even where there is no limit. */
const SMALL = 2 ** 14;

/** A row has 32 blocks, a bit each. */
const BLOCK_BITS = 5;

/**
 * Rolling-hour counts of all volumes against capacity, and what moving flights would do to them. A visit in bin b counts
 * in the K rolling hours that start in bins b-K+1..b.
 *
 * Moves are first summed up per cell, then the rolling hours of the touched stretch of each touched row are looked at
 * once. So a trial leaves nothing to take back. Hot loops: no allocation.
 */
export class HourSlack {
  /** Sum of what is above capacity. */
  exceedance = 0;
  /** By how many minutes the flights that were last looked at are later than before. */
  minutesLater = 0;

  readonly #visits: FlightVisits;
  /** Count minus capacity for each rolling hour; far below 0 where there is no limit and outside the day. */
  readonly #slack: Int16Array | Int32Array;

  /** What is above capacity in each row. */
  readonly #rowExceedance: Int32Array;

  /** Visits that come to a cell minus those that leave it; 0 everywhere between trials. */
  readonly #moved: Int16Array | Int32Array;
  /** Per row, a bit for each block of cells with moves; then, [rowsAt, rowsEnd), the rows with a bit. */
  readonly #touched: Int32Array;
  readonly #rowsAt: number;
  #rowsEnd = 0;
  /** Flights that move and have visits at the edge. */
  readonly #atEdge: Int32Array;

  constructor(instance: Instance) {
    const { binCount, visitVolume } = instance;
    const volumeCount = instance.volumeIds.length;
    this.#visits = flightVisitsOf(instance);
    const { perHour, rowShift } = this.#visits;
    const small = visitVolume.length < SMALL || visitsOfBusiest(visitVolume, volumeCount) < SMALL;
    const noLimit = small ? -SMALL : -(2 ** 30);
    const cells = (): Int16Array | Int32Array =>
      small ? new Int16Array(volumeCount << rowShift) : new Int32Array(volumeCount << rowShift);
    this.#slack = cells().fill(noLimit);
    this.#moved = cells();
    this.#touched = new Int32Array(2 * volumeCount + 1);
    this.#rowsAt = volumeCount;
    this.#atEdge = new Int32Array(instance.flightIds.length);

    const limits = instance.capacity.map(wholeCapacity);
    for (let v = 0; v < volumeCount; v++) {
      for (let bin = 0; bin < binCount; bin++) {
        // A limit above every count is none.
        this.#slack[(v << rowShift) + perHour + bin] = Math.max(noLimit, -limits[v * binCount + bin]);
      }
    }
    for (let f = 0; f < instance.flightIds.length; f++) this.#countVisits(f);
    this.#rowExceedance = new Int32Array(volumeCount);
    this.#slack.forEach((slack, cell) => {
      if (slack > 0) this.#rowExceedance[cell >> rowShift] += slack;
    });
    this.exceedance = this.#rowExceedance.reduce((sum, above) => sum + above, 0);
  }

  /** By how much exceedance grows if the first `count` of `flights` go from their old to their new delay. */
  growth(flights: Int32Array, count: number, oldDelay: Int16Array, newDelay: Int16Array): number {
    this.#collect(flights, count, oldDelay, newDelay);
    return this.#settle(0);
  }

  /** Makes the first `count` of `flights` go from their old to their new delay. */
  move(flights: Int32Array, count: number, oldDelay: Int16Array, newDelay: Int16Array): void {
    this.#collect(flights, count, oldDelay, newDelay);
    this.exceedance += this.#settle(-1);
  }

  /** Flights above capacity in the rolling hour that starts with a bin; negative below it. */
  over(volume: number, bin: number): number {
    const { rowShift, perHour } = this.#visits;
    return this.#slack[(volume << rowShift) + perHour + bin];
  }

  /** Sum of what is above capacity in a volume. */
  exceedanceOf(volume: number): number {
    return this.#rowExceedance[volume];
  }

  /** Sums up per cell which visits leave it and which come to it. */
  #collect(flights: Int32Array, count: number, oldDelay: Int16Array, newDelay: Int16Array): void {
    const { rowShift, recordWords, record, recordBytes, visitsAt, delayShift } = this.#visits;
    const blockShift = rowShift - BLOCK_BITS;
    const moved = this.#moved;
    const touched = this.#touched;
    const atEdge = this.#atEdge;
    let edgeCount = 0;
    let minutesLater = 0;
    let rowsEnd = this.#rowsAt;
    let next = record[flights[0] * recordWords];
    for (let s = 0; s < count; s++) {
      const f = flights[s];
      minutesLater += newDelay[f] - oldDelay[f];
      const was = delayShift[oldDelay[f]];
      const is = delayShift[newDelay[f]];
      const head = f * recordWords;
      let visits = next;
      // Asked for one flight ahead, because it takes its time.
      next = record[flights[s + 1] * recordWords];
      if (visits < 0) {
        visits = -visits - 1;
        atEdge[edgeCount++] = f;
      }
      // Visits up to a phase are as many bins late as the delay has whole bins, the others one more. If both delays have
      // as many, only the stretch between the phases moves. Masks instead of branches, which would be guessed wrong.
      const begin = head + visitsAt;
      const wasCarry = begin + recordBytes[4 * head + 4 + (was & 255)];
      const isCarry = begin + recordBytes[4 * head + 4 + (is & 255)];
      const sameBins = (((was ^ is) >> 8) - 1) >> 31;
      const back = (isCarry - wasCarry) & ((isCarry - wasCarry) >> 31);
      const first = begin + ((wasCarry + back - begin) & sameBins);
      const end = begin + ((isCarry - back - begin) & sameBins) + (visits & ~sameBins);
      for (let i = first; i < end; i++) {
        const from = record[i] + (was >> 8) + ((wasCarry - 1 - i) >>> 31);
        const to = record[i] + (is >> 8) + ((isCarry - 1 - i) >>> 31);
        moved[from]--;
        moved[to]++;
        const row = from >> rowShift;
        const blocks = touched[row];
        // Shifts take the last five bits of a block's number, which are those within its row.
        touched[row] = blocks | (1 << (from >> blockShift)) | (1 << (to >> blockShift));
        // One more row where there was no block yet.
        touched[rowsEnd] = row;
        rowsEnd += (~blocks & (blocks - 1)) >>> 31;
      }
    }
    this.minutesLater = minutesLater;
    this.#rowsEnd = rowsEnd;
    for (let e = 0; e < edgeCount; e++) this.#collectAtEdge(atEdge[e], oldDelay[atEdge[e]], newDelay[atEdge[e]]);
  }

  /** The same for the visits that a delay can take across an end of the day. */
  #collectAtEdge(f: number, was: number, is: number): void {
    const { rowShift, edgeStart, edgeVolume, edgeMinute, placeOfMinute } = this.#visits;
    const blockShift = rowShift - BLOCK_BITS;
    for (let i = edgeStart[f]; i < edgeStart[f + 1]; i++) {
      const from = placeOfMinute[edgeMinute[i] + was];
      const to = placeOfMinute[edgeMinute[i] + is];
      if (from === to) continue;
      const row = edgeVolume[i];
      this.#moved[(row << rowShift) + from]--;
      this.#moved[(row << rowShift) + to]++;
      if (this.#touched[row] === 0) this.#touched[this.#rowsEnd++] = row;
      this.#touched[row] |= (1 << (from >> blockShift)) | (1 << (to >> blockShift));
    }
  }

  /** Ends a collection: by how much exceedance grows. `kept` is -1 if the moves are to stay, 0 if not. */
  #settle(kept: number): number {
    const { rowShift, perHour } = this.#visits;
    const blockShift = rowShift - BLOCK_BITS;
    const slack = this.#slack;
    const moved = this.#moved;
    const touched = this.#touched;
    const rowExceedance = this.#rowExceedance;
    const rowsEnd = this.#rowsEnd;
    const ahead = perHour - 1;
    const lastPlace = (1 << rowShift) - perHour;
    let growth = 0;
    for (let r = this.#rowsAt; r < rowsEnd; r++) {
      const row = touched[r];
      const blocks = touched[row];
      touched[row] = 0;
      const start = row << rowShift;
      const last = start + Math.min(((32 - Math.clz32(blocks)) << blockShift) - 1, lastPlace);
      let cell = start + Math.max(((31 - Math.clz32(blocks & -blocks)) << blockShift) - ahead, 0);
      let change = 0;
      let rowGrowth = 0;
      for (; cell <= last; cell++) {
        change += moved[cell + ahead];
        const before = slack[cell];
        const after = before + change;
        // Sign bits instead of branches: what is above capacity.
        rowGrowth += (after & ~(after >> 31)) - (before & ~(before >> 31));
        slack[cell] = before + (change & kept);
        change -= moved[cell];
        moved[cell] = 0;
      }
      rowExceedance[row] += rowGrowth & kept;
      growth += rowGrowth;
    }
    return growth;
  }

  /** Counts the visits of an undelayed flight. */
  #countVisits(f: number): void {
    const { perHour, rowShift, recordWords, record, visitsAt } = this.#visits;
    const { edgeStart, edgeVolume, edgeMinute, placeOfMinute } = this.#visits;
    const count = (cell: number): void => {
      for (let hour = cell - perHour + 1; hour <= cell; hour++) this.#slack[hour]++;
    };
    const head = f * recordWords;
    const visits = record[head] < 0 ? -record[head] - 1 : record[head];
    record.subarray(head + visitsAt, head + visitsAt + visits).forEach(count);
    for (let i = edgeStart[f]; i < edgeStart[f + 1]; i++) {
      count((edgeVolume[i] << rowShift) + placeOfMinute[edgeMinute[i]]);
    }
  }
}

/** Visits of the busiest volume. */
function visitsOfBusiest(visitVolume: Int32Array, volumeCount: number): number {
  const visits = new Int32Array(volumeCount);
  for (const volume of visitVolume) visits[volume]++;
  return visits.reduce((most, count) => Math.max(most, count), 0);
}
