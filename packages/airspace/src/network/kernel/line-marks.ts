import { MAX_DELAY_MINUTES, type Regulation } from "../regulation.ts";
import { type FirstVisits, lowerBound } from "./first-visits.ts";

/** Marks each flight with a bit per line that may ever serve it, so that lines which cannot are skipped quickly. */
export class LineMarks {
  /** Bits of the lines that may serve a flight, whatever its delay. */
  readonly servedBy: Int32Array;
  readonly #binMinutes: number;
  #free = -1;

  constructor(flightCount: number, binMinutes: number) {
    this.servedBy = new Int32Array(flightCount);
    this.#binMinutes = binMinutes;
  }

  /** Gives a line a bit of its own; 0 if there is none left. */
  take(regulation: Regulation, visits: FirstVisits): number {
    const bit = this.#free & -this.#free;
    this.#free ^= bit;
    const [first, end] = this.#reach(regulation, visits);
    for (let i = first; i < end; i++) {
      if ((visits.flowBit[i] & regulation.flows) !== 0) this.servedBy[visits.flight[i]] |= bit;
    }
    return bit;
  }

  release(regulation: Regulation, visits: FirstVisits, bit: number): void {
    const [first, end] = this.#reach(regulation, visits);
    for (let i = first; i < end; i++) this.servedBy[visits.flight[i]] &= ~bit;
    this.#free |= bit;
  }

  /** The first visits that some delay brings into the window. */
  #reach({ fromBin, toBin }: Regulation, { minute }: FirstVisits): readonly [number, number] {
    const first = lowerBound(minute, minute.length, fromBin * this.#binMinutes - MAX_DELAY_MINUTES);
    return [first, lowerBound(minute, minute.length, toBin * this.#binMinutes)];
  }
}
