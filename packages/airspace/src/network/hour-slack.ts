import { type Instance, wholeCapacity } from "../instance/instance.ts";
import { MAX_DELAY_MINUTES } from "./regulation.ts";

/** Counts and capacities below this fit into 16 bits, even where there is no limit. */
const SMALL = 2 ** 14;

/** Words of the longest record; visits that do not fit are kept with those at the edge. */
const LONGEST_RECORD = 64;

/** An entry of the log has the number of hours above the number of a cell. */
const HOURS_AT = 24;
const CELL_BITS = 2 ** HOURS_AT - 1;

/**
 * Rolling-hour counts of all volumes against capacity, kept up to date visit by visit. Hot loops: no allocation.
 *
 * A visit in bin b counts in the K rolling hours that start in bins b-K+1..b. Each volume's row of cells has K cells
 * without limit on both sides, which take the part outside the day, and all of visits that are not in the day.
 *
 * A flight's visits are sorted by phase, their minute within its bin, so that those which a change of delay moves by the
 * same number of bins follow each other and the others are not looked at. Visits that a delay can move across an end of
 * the day are kept apart, at the edge.
 */
export class HourSlack {
  /** Sum of what is above capacity. */
  exceedance = 0;

  readonly #perHour: number;
  /** Cells of a volume's row. */
  readonly #stride: number;
  /** Count minus capacity for each rolling hour; far below 0 where there is no limit and outside the day. */
  readonly #slack: Int16Array | Int32Array;

  /**
   * Visits that stay inside the day whatever their delay. Flight f's record starts at `f * recordWords`: how many visits
   * it has, negative if there are others; a byte per phase (and one more) with the number of visits of smaller phase; the
   * cell of each undelayed visit's bin, by phase. Most records are one or two cache lines.
   */
  readonly #recordWords: number;
  readonly #record: Int32Array;
  readonly #recordBytes: Uint8Array;
  /** Words from the start of a record to its cells. */
  readonly #cellsAt: number;

  /** The other visits, at the edge, of flight f are [edgeStart[f], edgeStart[f + 1]). */
  readonly #edgeStart: Int32Array;
  /** Cell of bin 0 of the visit's volume. */
  readonly #edgeCell: Int32Array;
  /** Whole minute of the visit, as an index into `#binOfMinute`. */
  readonly #edgeMinute: Int16Array;
  readonly #binOfMinute: Int16Array;

  /** Whole bins of each delay, and the phase from which on it takes a visit one bin further. */
  readonly #binsOfDelay: Uint8Array;
  readonly #carryPhase: Uint8Array;

  /** Moves since the last `undo` or `keep`: how many hours, with the first counted down; the first counted up. */
  #log = new Int32Array(2 ** 14);
  #logEnd = 0;
  #exceedanceBefore = 0;

  constructor(instance: Instance) {
    const { binMinutes, binCount, visitOffset, visitVolume } = instance;
    const flightCount = instance.flightIds.length;
    const perHour = 60 / binMinutes;
    const stride = binCount + 2 * perHour;
    const dayMinutes = binCount * binMinutes;
    // One minute before what the longest delay brings into the day, and the first minute after it, stand for all others.
    const earliest = -MAX_DELAY_MINUTES - 1;
    this.#perHour = perHour;
    this.#stride = stride;
    this.#binsOfDelay = Uint8Array.from({ length: MAX_DELAY_MINUTES + 1 }, (_, delay) =>
      Math.floor(delay / binMinutes),
    );
    this.#carryPhase = Uint8Array.from(
      { length: MAX_DELAY_MINUTES + 1 },
      (_, delay) => binMinutes - (delay % binMinutes),
    );
    this.#binOfMinute = Int16Array.from({ length: dayMinutes - earliest + MAX_DELAY_MINUTES + 1 }, (_, index) => {
      const minute = index + earliest;
      if (minute < 0) return -1;
      return minute < dayMinutes ? Math.floor(minute / binMinutes) : binCount + perHour - 1;
    });
    const limits = instance.capacity.map(wholeCapacity);
    const small = visitVolume.length < SMALL || visitsOfBusiest(visitVolume, instance.volumeIds.length) < SMALL;
    const noLimit = small ? -SMALL : -(2 ** 30);
    const cellCount = instance.volumeIds.length * stride;
    this.#slack = small ? new Int16Array(cellCount).fill(noLimit) : new Int32Array(cellCount).fill(noLimit);
    for (let v = 0; v < instance.volumeIds.length; v++) {
      for (let bin = 0; bin < binCount; bin++) {
        // A limit above every count is none.
        this.#slack[v * stride + perHour + bin] = Math.max(noLimit, -limits[v * binCount + bin]);
      }
    }

    this.#cellsAt = 1 + Math.ceil((binMinutes + 1) / 4);
    const mostVisits = visitOffset.reduce((most, end, f) => Math.max(most, f === 0 ? 0 : end - visitOffset[f - 1]), 0);
    this.#recordWords = Math.max(this.#cellsAt, Math.min(LONGEST_RECORD, this.#cellsAt + mostVisits));
    this.#record = new Int32Array(flightCount * this.#recordWords);
    this.#recordBytes = new Uint8Array(this.#record.buffer);
    this.#edgeStart = new Int32Array(flightCount + 1);
    this.#edgeCell = new Int32Array(visitVolume.length);
    this.#edgeMinute = new Int16Array(visitVolume.length);
    for (let f = 0; f < flightCount; f++) {
      const inside: { readonly cell: number; readonly phase: number }[] = [];
      let edge = this.#edgeStart[f];
      for (let i = visitOffset[f]; i < visitOffset[f + 1]; i++) {
        const minute = Math.floor((instance.takeoffSecond[f] + instance.entrySecond[i]) / 60);
        const row = visitVolume[i] * stride + perHour;
        if (
          minute >= 0 &&
          minute + MAX_DELAY_MINUTES < dayMinutes &&
          inside.length < this.#recordWords - this.#cellsAt
        ) {
          inside.push({ cell: row + Math.floor(minute / binMinutes), phase: minute % binMinutes });
          this.#countVisit(row + Math.floor(minute / binMinutes));
        } else {
          this.#edgeCell[edge] = row;
          this.#edgeMinute[edge] = Math.min(Math.max(minute, earliest), dayMinutes) - earliest;
          this.#countVisit(row + this.#binOfMinute[this.#edgeMinute[edge]]);
          edge++;
        }
      }
      this.#edgeStart[f + 1] = edge;
      const head = f * this.#recordWords;
      this.#record[head] = edge > this.#edgeStart[f] ? -inside.length - 1 : inside.length;
      inside.sort((a, b) => a.phase - b.phase);
      inside.forEach(({ cell }, at) => {
        this.#record[head + this.#cellsAt + at] = cell;
      });
      for (let phase = 0; phase <= binMinutes; phase++) {
        this.#recordBytes[4 * (head + 1) + phase] = inside.filter((visit) => visit.phase < phase).length;
      }
    }
    for (const slack of this.#slack) if (slack > 0) this.exceedance += slack;
    this.#exceedanceBefore = this.exceedance;
  }

  /**
   * Moves all visits of the first `count` of `flights` from their old to their new delay, until `undo` or `keep`.
   * Returns by how many minutes the sum of delays grew.
   */
  move(flights: Int32Array, count: number, oldDelay: Int16Array, newDelay: Int16Array): number {
    const slack = this.#slack;
    const recordWords = this.#recordWords;
    const record = this.#record;
    const bytes = this.#recordBytes;
    const cellsAt = this.#cellsAt;
    const binsOfDelay = this.#binsOfDelay;
    const carryPhase = this.#carryPhase;
    const perHour = this.#perHour;
    let log = this.#log;
    let at = this.#logEnd;
    let exceedance = this.exceedance;
    let minutes = 0;
    for (let s = 0; s < count; s++) {
      const f = flights[s];
      const was = oldDelay[f];
      const is = newDelay[f];
      minutes += is - was;
      const head = f * recordWords;
      let visits = record[head];
      if (visits < 0) {
        visits = -visits - 1;
        this.exceedance = exceedance;
        this.#logEnd = at;
        this.#moveAtEdge(f, was, is);
        exceedance = this.exceedance;
        at = this.#logEnd;
        log = this.#log;
      }
      if (at + 2 * visits > log.length) log = this.#growLog(at, 2 * visits);
      // Visits up to a phase are as many bins late as the delay has whole bins, the others one more. That gives three
      // stretches of visits, each moving between the same two bins of their rows.
      const cells = head + cellsAt;
      const wasCarry = cells + bytes[4 * (head + 1) + carryPhase[was]];
      const isCarry = cells + bytes[4 * (head + 1) + carryPhase[is]];
      let from = binsOfDelay[was];
      let to = binsOfDelay[is];
      const early = Math.min(wasCarry, isCarry);
      const late = Math.max(wasCarry, isCarry);
      let stretch = 0;
      let stretches = 3;
      let first = cells;
      let end = early;
      if (from === to) {
        // Small changes, which are most, move only the stretch between.
        if (early === late) continue;
        if (wasCarry <= isCarry) from++;
        else to++;
        stretch = 1;
        stretches = 2;
        first = early;
        end = late;
      }
      for (; stretch < stretches; stretch++) {
        if (from !== to && first < end) {
          const apart = to > from ? to - from : from - to;
          const hours = Math.min(apart, perHour);
          const down = to > from ? from - perHour + 1 : from - hours + 1;
          const up = to > from ? to - hours + 1 : to - perHour + 1;
          for (let i = first; i < end; i++) {
            let emptierAt = record[i] + down;
            let fullerAt = record[i] + up;
            log[at] = (hours << HOURS_AT) | emptierAt;
            log[at + 1] = fullerAt;
            at += 2;
            // Sign bits instead of branches: 1 where the hour was at or above capacity, 1 where it was above.
            for (let hour = hours; ; ) {
              const fuller = slack[fullerAt];
              exceedance -= ~fuller >> 31;
              slack[fullerAt] = fuller + 1;
              const emptier = slack[emptierAt];
              exceedance += (0 - emptier) >> 31;
              slack[emptierAt] = emptier - 1;
              if (--hour === 0) break;
              fullerAt++;
              emptierAt++;
            }
          }
        }
        first = end;
        if (stretch === 0) {
          if (wasCarry <= isCarry) from++;
          else to++;
          end = late;
        } else {
          if (wasCarry <= isCarry) to++;
          else from++;
          end = cells + visits;
        }
      }
    }
    this.exceedance = exceedance;
    this.#logEnd = at;
    return minutes;
  }

  /** Flights above capacity in the rolling hour that starts with a bin; negative below it. */
  over(volume: number, bin: number): number {
    return this.#slack[volume * this.#stride + this.#perHour + bin];
  }

  /** Takes back every move since the last `undo` or `keep`. */
  undo(): void {
    const slack = this.#slack;
    const log = this.#log;
    const end = this.#logEnd;
    for (let at = 0; at < end; at += 2) {
      const down = log[at] & CELL_BITS;
      const up = log[at + 1];
      slack[down]++;
      slack[up]--;
      for (let hour = (log[at] >> HOURS_AT) - 1; hour > 0; hour--) {
        slack[down + hour]++;
        slack[up + hour]--;
      }
    }
    this.exceedance = this.#exceedanceBefore;
    this.#logEnd = 0;
  }

  /** Makes the moves since the last `undo` or `keep` permanent. */
  keep(): void {
    this.#exceedanceBefore = this.exceedance;
    this.#logEnd = 0;
  }

  /** Moves a flight's visits that a delay can take across an end of the day. */
  #moveAtEdge(f: number, was: number, is: number): void {
    for (let i = this.#edgeStart[f]; i < this.#edgeStart[f + 1]; i++) {
      const from = this.#binOfMinute[this.#edgeMinute[i] + was];
      const to = this.#binOfMinute[this.#edgeMinute[i] + is];
      if (from !== to) this.#shift(this.#edgeCell[i] + from, this.#edgeCell[i] + to);
    }
  }

  /** Moves one visit from the bin of one cell to that of another; the hours that hold both bins stay as they are. */
  #shift(from: number, to: number): void {
    const perHour = this.#perHour;
    const cells = Math.min(Math.abs(to - from), perHour);
    const down = to > from ? from - perHour + 1 : from - cells + 1;
    const up = to > from ? to - cells + 1 : to - perHour + 1;
    if (this.#logEnd + 2 > this.#log.length) this.#growLog(this.#logEnd, 2);
    this.#log[this.#logEnd] = (cells << HOURS_AT) | down;
    this.#log[this.#logEnd + 1] = up;
    this.#logEnd += 2;
    for (let c = 0; c < cells; c++) {
      if (this.#slack[up + c]++ >= 0) this.exceedance++;
      if (this.#slack[down + c]-- > 0) this.exceedance--;
    }
  }

  #countVisit(cell: number): void {
    for (let c = cell - this.#perHour + 1; c <= cell; c++) this.#slack[c]++;
  }

  #growLog(end: number, extra: number): Int32Array<ArrayBuffer> {
    const larger = new Int32Array(2 * (end + extra));
    larger.set(this.#log);
    this.#log = larger;
    return larger;
  }
}

/** Visits of the busiest volume. */
function visitsOfBusiest(visitVolume: Int32Array, volumeCount: number): number {
  const visits = new Int32Array(volumeCount);
  for (const volume of visitVolume) visits[volume]++;
  return visits.reduce((most, count) => Math.max(most, count), 0);
}
