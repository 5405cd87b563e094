import type { LineMarks } from "./line-marks.ts";

/** Marks are bytes with a sign; after this epoch they begin anew. */
const LAST_EPOCH = 127;

/**
 * The flights whose delay differs from the kept plan's at the line that is being looked at, and a log of such sets.
 * Fields are open: the loops that serve queues read and write them directly.
 */
export class ChangedFlights {
  /** The first `listed` were put into the set at some time, each once; those with `mark[f] === epoch` are in it. */
  readonly flight: Int32Array;
  listed = 0;
  /** Bits of the lines that are still to come, as far as they have one. */
  linesToCome = 0;
  /** The first `linked` are those listed flights that lines to come may serve, and the bits of these lines. */
  readonly linkedFlight: Int32Array;
  readonly linkedBits: Int32Array;
  linked = 0;
  /** `epoch` for flights in the set, `-epoch` for those that were taken out of it again. Bytes, which stay close at hand. */
  readonly mark: Int8Array;
  epoch = 0;
  /** Delay of a flight in the set. */
  readonly delay: Uint8Array;
  /** By how many minutes all flights that were last ordered to move are later than before. */
  minutesLater = 0;
  /** Bits of the lines that may serve a flight. */
  readonly servedBy: Int32Array;

  /** Listed flights that the line being looked at may serve: the first `metCount`. */
  readonly met: Int32Array;
  metCount = 0;

  /** Flights and delays of the sets that were noted, one after the other. */
  notedFlight = new Int32Array(1024);
  notedDelay = new Uint8Array(1024);
  noted = 0;

  constructor(flightCount: number, { servedBy }: LineMarks) {
    this.flight = new Int32Array(flightCount + 1);
    this.linkedFlight = new Int32Array(flightCount + 1);
    this.linkedBits = new Int32Array(flightCount + 1);
    this.mark = new Int8Array(flightCount);
    this.delay = new Uint8Array(flightCount);
    this.servedBy = servedBy;
    this.met = new Int32Array(flightCount + 1);
  }

  /** Empties the set and the log. */
  clear(): void {
    this.listed = 0;
    this.linked = 0;
    this.noted = 0;
    if (this.epoch === LAST_EPOCH) {
      this.mark.fill(0);
      this.epoch = 0;
    }
    this.epoch++;
  }

  /** Puts a flight into the set that is not in it. */
  add(f: number, delay: number): void {
    const again = this.mark[f] === -this.epoch;
    this.mark[f] = this.epoch;
    this.delay[f] = delay;
    if (again) return;
    this.flight[this.listed++] = f;
    const bits = this.servedBy[f] & this.linesToCome;
    this.linkedFlight[this.linked] = f;
    this.linkedBits[this.linked] = bits;
    // Counted by a sign bit instead of a branch, which would be guessed wrong.
    this.linked += (bits | -bits) >>> 31;
  }

  /** Takes a flight out of the set. */
  remove(f: number): void {
    this.mark[f] = -this.epoch;
  }

  /** Finds the listed flights that a line may serve: those with its bit or, if it has none, in its flows. Returns how many. */
  meet(bit: number, flows: number, flowBitOf: Int32Array): number {
    const { met, linkedFlight, linkedBits, linked, flight, listed } = this;
    let metCount = 0;
    if (bit === 0) {
      for (let s = 0; s < listed; s++) if ((flowBitOf[flight[s]] & flows) !== 0) met[metCount++] = flight[s];
    } else {
      for (let s = 0; s < linked; s++) {
        const may = linkedBits[s] & bit;
        met[metCount] = linkedFlight[s];
        metCount += (may | -may) >>> 31;
      }
    }
    this.metCount = metCount;
    return metCount;
  }

  /** Takes out those of some listed flights whose delay is that of `delay` after all. */
  dropEqual(flights: Int32Array, count: number, delay: Uint8Array): void {
    const { mark, epoch, delay: now } = this;
    for (let m = 0; m < count; m++) {
      const f = flights[m];
      if (mark[f] === epoch && now[f] === delay[f]) mark[f] = -epoch;
    }
  }

  /**
   * Writes an order for every flight in the set: the flight, and its delay `before` times 65536 plus the one now. Returns
   * how many there are.
   */
  order(before: Uint8Array, orders: Int32Array): number {
    const { flight, mark, epoch, delay, listed } = this;
    let count = 0;
    let minutesLater = 0;
    for (let s = 0; s < listed; s++) {
      const f = flight[s];
      const was = before[f];
      const is = delay[f];
      orders[2 * count] = f;
      orders[2 * count + 1] = (was << 16) | is;
      // Counted by a sign bit instead of a branch, which would be guessed wrong.
      const differs = mark[f] ^ epoch;
      const inSet = ~((differs | -differs) >> 31);
      minutesLater += (is - was) & inSet;
      count -= inSet;
    }
    this.minutesLater = minutesLater;
    return count;
  }

  /** Appends the set to the log. */
  note(): void {
    const most = this.noted + this.listed;
    if (most > this.notedFlight.length) {
      const [flights, delays] = [new Int32Array(2 * most), new Uint8Array(2 * most)];
      flights.set(this.notedFlight);
      delays.set(this.notedDelay);
      this.notedFlight = flights;
      this.notedDelay = delays;
    }
    const { flight, delay, mark, epoch, notedFlight, notedDelay } = this;
    let end = this.noted;
    for (let s = 0; s < this.listed; s++) {
      const f = flight[s];
      if (mark[f] !== epoch) continue;
      notedFlight[end] = f;
      notedDelay[end++] = delay[f];
    }
    this.noted = end;
  }
}
