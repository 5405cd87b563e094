import type { Instance } from "../../instance/instance.ts";
import { type CapacityRows, capacityRows } from "./capacity-rows.ts";
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
 *
 * There may be several draws of the capacity, whose exceedance is summed: traffic is moved and counted once, and a volume
 * with the same capacity in all draws is looked at once, too.
 */
export class HourSlack {
  /** Sum of what is above capacity, over all draws. */
  exceedance = 0;
  /** By how many minutes the flights that were last looked at are later than before. */
  minutesLater = 0;

  readonly #visits: FlightVisits;
  /** Visits to volumes that are above capacity without any plan: what a plan gains or loses, it nearly always does there. */
  readonly #crowdedVisits: FlightVisits;
  readonly #crowdedRows: readonly number[];
  /** Sum of what is above capacity in those volumes. */
  #crowdedExceedance: number;
  readonly #rows: CapacityRows;
  /** Count minus capacity for each rolling hour; far below 0 where there is no limit and outside the day. */
  readonly #slack: Int16Array | Int32Array;

  /** What is above capacity in each row of capacities. */
  readonly #rowExceedance: Int32Array;

  /** Visits that come to a cell minus those that leave it; 0 everywhere between trials, unless moves are held. */
  readonly #moved: Int16Array | Int32Array;
  /** Per row, a bit for each block of cells with moves; then, [rowsAt, rowsEnd), the rows with a bit. */
  readonly #touched: Int32Array;
  readonly #rowsAt: number;
  #rowsEnd = 0;
  #held = false;
  /** Flights that move and have visits at the edge. */
  readonly #atEdge: Int32Array;
  /** Which visits of a flight move and how, six words each; see {@link HourSlack.#collect}. */
  readonly #moves: Int32Array;

  constructor(instance: Instance, draws: readonly Float64Array[] = [instance.capacity]) {
    const { binCount, visitVolume } = instance;
    const volumeCount = instance.volumeIds.length;
    this.#visits = flightVisitsOf(instance, () => true);
    const { perHour, rowShift } = this.#visits;
    const small = visitVolume.length < SMALL || visitsOfBusiest(visitVolume, volumeCount) < SMALL;
    const noLimit = small ? -SMALL : -(2 ** 30);
    const cells = (rows: number): Int16Array | Int32Array =>
      small ? new Int16Array(rows << rowShift) : new Int32Array(rows << rowShift);
    this.#rows = capacityRows(draws, binCount);
    const { limits, weight } = this.#rows;
    this.#slack = cells(weight.length).fill(noLimit);
    this.#moved = cells(volumeCount);
    this.#touched = new Int32Array(2 * volumeCount + 1);
    this.#rowsAt = volumeCount;
    this.#atEdge = new Int32Array(instance.flightIds.length + 1);
    this.#moves = new Int32Array(6 * (instance.flightIds.length + 1));

    for (let row = 0; row < weight.length; row++) {
      for (let bin = 0; bin < binCount; bin++) {
        // A limit above every count is none.
        this.#slack[(row << rowShift) + perHour + bin] = Math.max(noLimit, -limits[row * binCount + bin]);
      }
    }
    for (let f = 0; f < instance.flightIds.length; f++) this.#countVisits(f);
    this.#rowExceedance = new Int32Array(weight.length);
    this.#slack.forEach((slack, cell) => {
      if (slack > 0) this.#rowExceedance[cell >> rowShift] += slack;
    });
    this.exceedance = this.#rowExceedance.reduce((sum, above, row) => sum + above * weight[row], 0);
    this.#crowdedRows = [...instance.volumeIds.keys()].filter((volume) => this.exceedanceOf(volume) > 0);
    this.#crowdedExceedance = this.exceedance;
    this.#crowdedVisits = flightVisitsOf(instance, (volume) => this.#crowdedRows.includes(volume));
  }

  /**
   * What exceedance would be if the first `count` of `flights` went from their old to their new delay. The moves can be
   * held for {@link move}, if it is likely that they are to stay.
   */
  exceedanceAfter(
    flights: Int32Array,
    count: number,
    oldDelay: Int16Array,
    newDelay: Int16Array,
    hold: boolean,
  ): number {
    this.#collect(this.#visits, flights, count, oldDelay, newDelay);
    this.#held = hold;
    return this.exceedance + this.#settle(0);
  }

  /** What exceedance would be at least: that of crowded volumes, because that of others is never below 0. Much cheaper. */
  leastExceedanceAfter(flights: Int32Array, count: number, oldDelay: Int16Array, newDelay: Int16Array): number {
    this.#collect(this.#crowdedVisits, flights, count, oldDelay, newDelay);
    return this.#crowdedExceedance + this.#settle(0);
  }

  /** Makes the first `count` of `flights` go from their old to their new delay; if moves are held, it is those. */
  move(flights: Int32Array, count: number, oldDelay: Int16Array, newDelay: Int16Array): void {
    if (!this.#held) this.#collect(this.#visits, flights, count, oldDelay, newDelay);
    this.#held = false;
    this.exceedance += this.#settle(-1);
    this.#crowdedExceedance = 0;
    for (const row of this.#crowdedRows) this.#crowdedExceedance += this.exceedanceOf(row);
  }

  /**
   * Flights above capacity in the rolling hour that starts with a bin, over all draws; negative below it, or 0 where the
   * draws differ.
   */
  over(volume: number, bin: number): number {
    const { rowShift, perHour } = this.#visits;
    const { extraAt, weight } = this.#rows;
    const own = this.#slack[(volume << rowShift) + perHour + bin];
    if (extraAt[volume] === extraAt[volume + 1]) return own * weight[volume];
    let sum = Math.max(0, own) * weight[volume];
    for (let row = extraAt[volume]; row < extraAt[volume + 1]; row++) {
      sum += Math.max(0, this.#slack[(row << rowShift) + perHour + bin]) * weight[row];
    }
    return sum;
  }

  /** Sum of what is above capacity in a volume, over all draws. */
  exceedanceOf(volume: number): number {
    const { extraAt, weight } = this.#rows;
    let sum = this.#rowExceedance[volume] * weight[volume];
    for (let row = extraAt[volume]; row < extraAt[volume + 1]; row++) sum += this.#rowExceedance[row] * weight[row];
    return sum;
  }

  /** Sums up per cell which visits leave it and which come to it. */
  #collect(
    visitsToMove: FlightVisits,
    flights: Int32Array,
    count: number,
    oldDelay: Int16Array,
    newDelay: Int16Array,
  ): void {
    if (this.#held) {
      this.#held = false;
      this.#settle(0);
    }
    const { rowShift, recordWords, record, recordBytes, visitsAt, delayShift } = visitsToMove;
    const blockShift = rowShift - BLOCK_BITS;
    const moved = this.#moved;
    const touched = this.#touched;
    const atEdge = this.#atEdge;
    const moves = this.#moves;
    let edgeCount = 0;
    let minutesLater = 0;
    let moving = 0;
    // First who moves which visits, without a branch that could be guessed wrong, so that the records of many flights are
    // fetched at once.
    for (let s = 0; s < count; s++) {
      const f = flights[s];
      const old = oldDelay[f];
      const now = newDelay[f];
      minutesLater += now - old;
      const was = delayShift[old];
      const is = delayShift[now];
      const head = f * recordWords;
      const visits = record[head];
      // Those at the edge are counted by a sign bit.
      atEdge[edgeCount] = f;
      edgeCount += visits >>> 31;
      // Visits up to a phase are as many bins late as the delay has whole bins, the others one more. If both delays have
      // as many, only the stretch between the phases moves.
      const begin = head + visitsAt;
      const wasCarry = begin + recordBytes[4 * head + 4 + (was & 255)];
      const isCarry = begin + recordBytes[4 * head + 4 + (is & 255)];
      const sameBins = (((was ^ is) >> 8) - 1) >> 31;
      const back = (isCarry - wasCarry) & ((isCarry - wasCarry) >> 31);
      const first = begin + ((wasCarry + back - begin) & sameBins);
      const end = begin + ((isCarry - back - begin) & sameBins) + ((visits ^ (visits >> 31)) & ~sameBins);
      moves[moving] = first;
      moves[moving + 1] = end;
      moves[moving + 2] = wasCarry;
      moves[moving + 3] = isCarry;
      moves[moving + 4] = was >> 8;
      moves[moving + 5] = is >> 8;
      moving += 6 & ((first - end) >> 31);
    }
    let rowsEnd = this.#rowsAt;
    for (let m = 0; m < moving; m += 6) {
      const end = moves[m + 1];
      const wasCarry = moves[m + 2] - 1;
      const isCarry = moves[m + 3] - 1;
      const was = moves[m + 4];
      const is = moves[m + 5];
      for (let i = moves[m]; i < end; i++) {
        const cell = record[i];
        const from = cell + was + ((wasCarry - i) >>> 31);
        const to = cell + is + ((isCarry - i) >>> 31);
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
    for (let e = 0; e < edgeCount; e++) {
      this.#collectAtEdge(visitsToMove, atEdge[e], oldDelay[atEdge[e]], newDelay[atEdge[e]]);
    }
  }

  /** The same for the visits that a delay can take across an end of the day. */
  #collectAtEdge(visitsToMove: FlightVisits, f: number, was: number, is: number): void {
    const { rowShift, edgeStart, edgeVolume, edgeMinute, placeOfMinute } = visitsToMove;
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

  /** Ends a collection, unless it is held: by how much exceedance grows. `kept` is -1 if the moves are to stay, 0 if not. */
  #settle(kept: number): number {
    const { rowShift, perHour } = this.#visits;
    const { extraAt, weight } = this.#rows;
    const blockShift = rowShift - BLOCK_BITS;
    const slack = this.#slack;
    const moved = this.#moved;
    const touched = this.#touched;
    const rowExceedance = this.#rowExceedance;
    const rowsEnd = this.#rowsEnd;
    const ahead = perHour - 1;
    const lastPlace = (1 << rowShift) - perHour;
    const held = this.#held ? -1 : 0;
    let growth = 0;
    for (let r = this.#rowsAt; r < rowsEnd; r++) {
      const row = touched[r];
      const blocks = touched[row];
      touched[row] = blocks & held;
      const start = row << rowShift;
      const last = start + Math.min(((32 - Math.clz32(blocks)) << blockShift) - 1, lastPlace);
      let cell = start + Math.max(((31 - Math.clz32(blocks & -blocks)) << blockShift) - ahead, 0);
      for (let extra = extraAt[row]; extra < extraAt[row + 1]; extra++) {
        growth += this.#settleExtra(extra, row, cell, last, kept) * weight[extra];
      }
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
        moved[cell] &= held;
      }
      rowExceedance[row] += rowGrowth & kept;
      growth += rowGrowth * weight[row];
    }
    return growth;
  }

  /** The same for a capacity that a volume has in some draws only; the moves stay for its other rows. */
  #settleExtra(extra: number, row: number, first: number, last: number, kept: number): number {
    const { rowShift, perHour } = this.#visits;
    const slack = this.#slack;
    const moved = this.#moved;
    const away = (extra - row) << rowShift;
    const ahead = perHour - 1;
    let change = 0;
    let growth = 0;
    for (let cell = first; cell <= last; cell++) {
      change += moved[cell + ahead];
      const before = slack[cell + away];
      const after = before + change;
      growth += (after & ~(after >> 31)) - (before & ~(before >> 31));
      slack[cell + away] = before + (change & kept);
      change -= moved[cell];
    }
    this.#rowExceedance[extra] += growth & kept;
    return growth;
  }

  /** Counts the visits of an undelayed flight. */
  #countVisits(f: number): void {
    const { perHour, rowShift, recordWords, record, visitsAt } = this.#visits;
    const { edgeStart, edgeVolume, edgeMinute, placeOfMinute } = this.#visits;
    const { extraAt } = this.#rows;
    const count = (cell: number): void => {
      const volume = cell >> rowShift;
      for (let hour = cell - perHour + 1; hour <= cell; hour++) {
        this.#slack[hour]++;
        for (let row = extraAt[volume]; row < extraAt[volume + 1]; row++) {
          this.#slack[hour + ((row - volume) << rowShift)]++;
        }
      }
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
