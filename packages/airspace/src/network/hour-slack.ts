import { type Instance, wholeCapacity } from "../instance/instance.ts";
import { type FlightVisits, flightVisitsOf, PLACE_BITS, PLACE_MASK } from "./flight-visits.ts";

/** Counts and capacities below this fit into 16 bits, even where there is no limit. */
const SMALL = 2 ** 14;

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

  readonly #visits: FlightVisits;
  /** Count minus capacity for each rolling hour; far below 0 where there is no limit and outside the day. */
  readonly #slack: Int16Array | Int32Array;

  /** Visits that come to a cell minus those that leave it; 0 everywhere between trials. */
  readonly #moved: Int16Array | Int32Array;
  /** Per row, a bit for each block of `2 ** blockShift` cells with moves; then, [rowsAt, rowsEnd), the rows with a bit. */
  readonly #touched: Int32Array;
  readonly #blockShift: number;
  readonly #rowsAt: number;
  #rowsEnd = 0;
  /** Flights that move and have visits at the edge. */
  readonly #atEdge: Int32Array;

  constructor(instance: Instance) {
    const { binCount, visitVolume } = instance;
    const volumeCount = instance.volumeIds.length;
    this.#visits = flightVisitsOf(instance);
    const { perHour, stride } = this.#visits;
    const small = visitVolume.length < SMALL || visitsOfBusiest(visitVolume, volumeCount) < SMALL;
    const noLimit = small ? -SMALL : -(2 ** 30);
    const cells = (): Int16Array | Int32Array =>
      small ? new Int16Array(volumeCount * stride) : new Int32Array(volumeCount * stride);
    this.#slack = cells().fill(noLimit);
    this.#moved = cells();
    this.#touched = new Int32Array(2 * volumeCount + 1);
    this.#rowsAt = volumeCount;
    this.#blockShift = Math.max(0, Math.ceil(Math.log2(stride / 32)));
    this.#atEdge = new Int32Array(instance.flightIds.length);

    const limits = instance.capacity.map(wholeCapacity);
    for (let v = 0; v < volumeCount; v++) {
      for (let bin = 0; bin < binCount; bin++) {
        // A limit above every count is none.
        this.#slack[v * stride + perHour + bin] = Math.max(noLimit, -limits[v * binCount + bin]);
      }
    }
    for (let f = 0; f < instance.flightIds.length; f++) this.#countVisits(f);
    for (const slack of this.#slack) if (slack > 0) this.exceedance += slack;
  }

  /** By how much exceedance grows if the first `count` of `flights` go from their old to their new delay. */
  growth(flights: Int32Array, count: number, oldDelay: Int16Array, newDelay: Int16Array): number {
    this.#collect(flights, count, oldDelay, newDelay);
    const { stride, perHour } = this.#visits;
    const slack = this.#slack;
    const moved = this.#moved;
    const touched = this.#touched;
    const rowsEnd = this.#rowsEnd;
    const shift = this.#blockShift;
    const ahead = perHour - 1;
    let growth = 0;
    for (let r = this.#rowsAt; r < rowsEnd; r++) {
      const row = touched[r];
      const blocks = touched[row];
      touched[row] = 0;
      const start = Math.imul(row, stride);
      const last = start + Math.min(((32 - Math.clz32(blocks)) << shift) - 1, stride - perHour - 1);
      let cell = start + Math.max(((31 - Math.clz32(blocks & -blocks)) << shift) - ahead, 0);
      let change = 0;
      for (; cell <= last; cell++) {
        change += moved[cell + ahead];
        const before = slack[cell];
        const after = before + change;
        // Sign bits instead of branches: what is above capacity.
        growth += (after & ~(after >> 31)) - (before & ~(before >> 31));
        change -= moved[cell];
        moved[cell] = 0;
      }
    }
    return growth;
  }

  /** Makes the first `count` of `flights` go from their old to their new delay. */
  move(flights: Int32Array, count: number, oldDelay: Int16Array, newDelay: Int16Array): void {
    this.#collect(flights, count, oldDelay, newDelay);
    const { stride, perHour } = this.#visits;
    for (const row of this.#touched.subarray(this.#rowsAt, this.#rowsEnd)) {
      this.#touched[row] = 0;
      const first = row * stride;
      let change = 0;
      for (let cell = first; cell < first + stride - perHour; cell++) {
        change += this.#moved[cell + perHour - 1];
        const before = this.#slack[cell];
        this.#slack[cell] = before + change;
        this.exceedance += Math.max(0, before + change) - Math.max(0, before);
        change -= this.#moved[cell];
        this.#moved[cell] = 0;
      }
    }
  }

  /** Flights above capacity in the rolling hour that starts with a bin; negative below it. */
  over(volume: number, bin: number): number {
    const { stride, perHour } = this.#visits;
    return this.#slack[volume * stride + perHour + bin];
  }

  /** Sums up per cell which visits leave it and which come to it. */
  #collect(flights: Int32Array, count: number, oldDelay: Int16Array, newDelay: Int16Array): void {
    const { stride, recordWords, record, recordBytes, visitsAt, delayShift } = this.#visits;
    const moved = this.#moved;
    const touched = this.#touched;
    const shift = this.#blockShift;
    const atEdge = this.#atEdge;
    let edgeCount = 0;
    let rowsEnd = this.#rowsAt;
    for (let s = 0; s < count; s++) {
      const f = flights[s];
      const was = delayShift[oldDelay[f]];
      const is = delayShift[newDelay[f]];
      const head = f * recordWords;
      let visits = record[head];
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
        const row = record[i] >> PLACE_BITS;
        const place = record[i] & PLACE_MASK;
        const from = place + (was >> 8) + ((wasCarry - 1 - i) >>> 31);
        const to = place + (is >> 8) + ((isCarry - 1 - i) >>> 31);
        const cell = Math.imul(row, stride);
        moved[cell + from]--;
        moved[cell + to]++;
        const blocks = touched[row];
        touched[row] = blocks | (1 << (from >> shift)) | (1 << (to >> shift));
        // One more row where there was no block yet.
        touched[rowsEnd] = row;
        rowsEnd += (~blocks & (blocks - 1)) >>> 31;
      }
    }
    this.#rowsEnd = rowsEnd;
    for (let e = 0; e < edgeCount; e++) this.#collectAtEdge(atEdge[e], oldDelay[atEdge[e]], newDelay[atEdge[e]]);
  }

  /** The same for the visits that a delay can take across an end of the day. */
  #collectAtEdge(f: number, was: number, is: number): void {
    const { stride, edgeStart, edgeVolume, edgeMinute, placeOfMinute } = this.#visits;
    for (let i = edgeStart[f]; i < edgeStart[f + 1]; i++) {
      const from = placeOfMinute[edgeMinute[i] + was];
      const to = placeOfMinute[edgeMinute[i] + is];
      if (from === to) continue;
      const row = edgeVolume[i];
      this.#moved[row * stride + from]--;
      this.#moved[row * stride + to]++;
      if (this.#touched[row] === 0) this.#touched[this.#rowsEnd++] = row;
      this.#touched[row] |= (1 << (from >> this.#blockShift)) | (1 << (to >> this.#blockShift));
    }
  }

  /** Counts the visits of an undelayed flight. */
  #countVisits(f: number): void {
    const { perHour, stride, recordWords, record, visitsAt } = this.#visits;
    const { edgeStart, edgeVolume, edgeMinute, placeOfMinute } = this.#visits;
    const count = (row: number, place: number): void => {
      for (let hour = place - perHour + 1; hour <= place; hour++) this.#slack[row * stride + hour]++;
    };
    const head = f * recordWords;
    const visits = record[head] < 0 ? -record[head] - 1 : record[head];
    for (const word of record.subarray(head + visitsAt, head + visitsAt + visits)) {
      count(word >> PLACE_BITS, word & PLACE_MASK);
    }
    for (let i = edgeStart[f]; i < edgeStart[f + 1]; i++) count(edgeVolume[i], placeOfMinute[edgeMinute[i]]);
  }
}

/** Visits of the busiest volume. */
function visitsOfBusiest(visitVolume: Int32Array, volumeCount: number): number {
  const visits = new Int32Array(volumeCount);
  for (const volume of visitVolume) visits[volume]++;
  return visits.reduce((most, count) => Math.max(most, count), 0);
}
