import { type Instance, wholeCapacity } from "../instance/instance.ts";
import { MAX_DELAY_MINUTES } from "./regulation.ts";

/** Count minus capacity where there is no limit, or outside the day: never above 0. */
const NO_LIMIT = -(2 ** 30);

/**
 * Rolling-hour counts of all volumes against capacity, kept up to date visit by visit. Hot loops: no allocation.
 *
 * A visit in bin b counts in the rolling hours that start in bins b-K+1..b. Each volume's row has K cells without limit
 * on both sides, which take the part outside the day, and all of visits that are not in the day.
 */
export class HourSlack {
  /** Sum of what is above capacity. */
  exceedance = 0;

  readonly #perHour: number;
  /** Count minus capacity for each rolling hour. */
  readonly #slack: Int32Array;
  readonly #visitOffset: Int32Array;
  /** Cell of bin 0 of each visit's volume. */
  readonly #visitCell: Int32Array;
  /** Whole minute of each visit, shifted so that it is an index into `#binOfMinute`. */
  readonly #visitMinute: Int16Array;
  readonly #binOfMinute: Int16Array;
  /** Undo log: triples (first cell counted down, first cell counted up, cells each). */
  #log = new Int32Array(3 * 4096);
  #logEnd = 0;
  #exceedanceBefore = 0;

  constructor(instance: Instance) {
    const { binMinutes, binCount, visitOffset, visitVolume } = instance;
    const perHour = 60 / binMinutes;
    const stride = binCount + 2 * perHour;
    this.#perHour = perHour;
    this.#visitOffset = visitOffset;
    this.#visitCell = visitVolume.map((volume) => volume * stride + perHour);
    // One minute before what the longest delay brings into the day, and the first minute after it, stand for all others.
    const earliest = -MAX_DELAY_MINUTES - 1;
    const afterDay = binCount * binMinutes;
    this.#visitMinute = new Int16Array(visitVolume.length);
    for (let f = 0; f + 1 < visitOffset.length; f++) {
      for (let i = visitOffset[f]; i < visitOffset[f + 1]; i++) {
        const minute = Math.floor((instance.takeoffSecond[f] + instance.entrySecond[i]) / 60);
        this.#visitMinute[i] = Math.min(Math.max(minute, earliest), afterDay) - earliest;
      }
    }
    this.#binOfMinute = Int16Array.from({ length: afterDay - earliest + MAX_DELAY_MINUTES + 1 }, (_, index) => {
      const minute = index + earliest;
      if (minute < 0) return -1;
      return minute < afterDay ? Math.floor(minute / binMinutes) : binCount + perHour - 1;
    });
    this.#slack = new Int32Array(instance.volumeIds.length * stride).fill(NO_LIMIT);
    for (let v = 0; v < instance.volumeIds.length; v++) {
      for (let bin = 0; bin < binCount; bin++) {
        const capacity = wholeCapacity(instance.capacity[v * binCount + bin]);
        if (capacity < -NO_LIMIT) this.#slack[v * stride + perHour + bin] = -capacity;
      }
    }
    for (let i = 0; i < visitVolume.length; i++) {
      const cell = this.#visitCell[i] + this.#binOfMinute[this.#visitMinute[i]];
      for (let c = cell - perHour + 1; c <= cell; c++) this.#slack[c]++;
    }
    for (const slack of this.#slack) if (slack > 0) this.exceedance += slack;
    this.#exceedanceBefore = this.exceedance;
  }

  /** Moves all visits of the first `count` of `flights` from their old to their new delay, until `undo` or `keep`. */
  move(flights: Int32Array, count: number, oldDelay: Int16Array, newDelay: Int16Array): void {
    const slack = this.#slack;
    const visitOffset = this.#visitOffset;
    const visitCell = this.#visitCell;
    const visitMinute = this.#visitMinute;
    const binOfMinute = this.#binOfMinute;
    const perHour = this.#perHour;
    let exceedance = this.exceedance;
    let end = this.#logEnd;
    for (let s = 0; s < count; s++) {
      const f = flights[s];
      const was = oldDelay[f];
      const is = newDelay[f];
      const last = visitOffset[f + 1];
      if (end + 3 * (last - visitOffset[f]) > this.#log.length) this.#growLog(end + 3 * (last - visitOffset[f]));
      const log = this.#log;
      for (let i = visitOffset[f]; i < last; i++) {
        const minute = visitMinute[i];
        const from = binOfMinute[minute + was];
        const to = binOfMinute[minute + is];
        if (from === to) continue;
        const cell = visitCell[i];
        let cells: number;
        let down: number;
        let up: number;
        if (to > from) {
          cells = Math.min(to - from, perHour);
          down = cell + from - perHour + 1;
          up = cell + to - cells + 1;
        } else {
          cells = Math.min(from - to, perHour);
          down = cell + from - cells + 1;
          up = cell + to - perHour + 1;
        }
        log[end] = down;
        log[end + 1] = up;
        log[end + 2] = cells;
        end += 3;
        for (let c = 0; c < cells; c++) {
          const fuller = slack[up + c];
          if (fuller >= 0) exceedance++;
          slack[up + c] = fuller + 1;
          const emptier = slack[down + c];
          if (emptier > 0) exceedance--;
          slack[down + c] = emptier - 1;
        }
      }
    }
    this.exceedance = exceedance;
    this.#logEnd = end;
  }

  /** Takes back every move since the last `undo` or `keep`. */
  undo(): void {
    const slack = this.#slack;
    const log = this.#log;
    const end = this.#logEnd;
    for (let at = 0; at < end; at += 3) {
      const down = log[at];
      const up = log[at + 1];
      const cells = log[at + 2];
      for (let c = 0; c < cells; c++) {
        slack[down + c]++;
        slack[up + c]--;
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

  #growLog(needed: number): void {
    const larger = new Int32Array(Math.max(needed, 2 * this.#log.length));
    larger.set(this.#log);
    this.#log = larger;
  }
}
