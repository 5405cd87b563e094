import type { LineMarks } from "./line-marks.ts";

/**
 * The flights whose delay differs from the kept plan's at the line that is being looked at, and a log of such sets.
 * Fields are open: the loops that serve queues read and write them directly.
 */
export class ChangedFlights {
  /** The first `count` are in the set. */
  readonly flight: Int32Array;
  /** Bits of the lines that may serve each of them, beside it so that most lines need to look no further. */
  readonly bits: Int32Array;
  count = 0;
  /** `mark[f] === epoch` for flights in the set. */
  readonly mark: Int32Array;
  epoch = 0;
  /** Delay of a flight in the set. */
  readonly delay: Int16Array;
  /** Bits of the lines that may serve a flight. */
  readonly servedBy: Int32Array;

  /** Places in the set, ascending, of the flights that the line being looked at serves now or in the kept plan. */
  readonly met: Int32Array;
  metCount = 0;

  /** Flights and delays of the sets that were noted, one after the other. */
  notedFlight = new Int32Array(1024);
  notedDelay = new Int16Array(1024);
  noted = 0;

  constructor(flightCount: number, { servedBy }: LineMarks) {
    this.flight = new Int32Array(flightCount + 1);
    this.bits = new Int32Array(flightCount);
    this.mark = new Int32Array(flightCount);
    this.delay = new Int16Array(flightCount);
    this.servedBy = servedBy;
    this.met = new Int32Array(flightCount);
  }

  /** Empties the set and the log. */
  clear(): void {
    this.count = 0;
    this.noted = 0;
    this.epoch++;
  }

  /** Puts a flight into the set that is not in it. */
  add(f: number, delay: number): void {
    this.mark[f] = this.epoch;
    this.delay[f] = delay;
    this.flight[this.count] = f;
    this.bits[this.count++] = this.servedBy[f];
  }

  /** Finds the flights that a line may serve: those with its bit or, if it has none, in its flows. Returns how many. */
  meet(bit: number, flows: number, flowBitOf: Int32Array): number {
    const { flight, bits, met, count } = this;
    let metCount = 0;
    for (let s = 0; s < count; s++) {
      const may = bit === 0 ? flowBitOf[flight[s]] & flows : bits[s] & bit;
      // Counted by a sign bit instead of a branch, which would be guessed wrong.
      met[metCount] = s;
      metCount += (may | -may) >>> 31;
    }
    this.metCount = metCount;
    return metCount;
  }

  /** Takes out the flights the line met whose delay is that of `delay` after all; the delay of others did not change. */
  dropEqual(delay: Int16Array): void {
    const { flight, bits, mark, delay: now, met } = this;
    let count = this.count;
    for (let m = this.metCount - 1; m >= 0; m--) {
      const s = met[m];
      const f = flight[s];
      if (now[f] !== delay[f]) continue;
      mark[f] = 0;
      count--;
      flight[s] = flight[count];
      bits[s] = bits[count];
    }
    this.count = count;
  }

  /** Appends the set to the log. */
  note(): void {
    const needed = this.noted + this.count;
    if (needed > this.notedFlight.length) {
      const [flights, delays] = [new Int32Array(2 * needed), new Int16Array(2 * needed)];
      flights.set(this.notedFlight);
      delays.set(this.notedDelay);
      this.notedFlight = flights;
      this.notedDelay = delays;
    }
    const { flight, delay, notedFlight, notedDelay } = this;
    let end = this.noted;
    for (let s = 0; s < this.count; s++) {
      notedFlight[end] = flight[s];
      notedDelay[end++] = delay[flight[s]];
    }
    this.noted = end;
  }
}
