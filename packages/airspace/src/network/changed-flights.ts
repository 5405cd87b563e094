/**
 * The flights whose delay differs from the kept plan's at the line that is being looked at, and a log of such sets.
 * Fields are open: the loops that serve queues read and write them directly.
 */
export class ChangedFlights {
  /** The first `count` are in the set. */
  readonly flight: Int32Array;
  count = 0;
  /** `mark[f] === epoch` for flights in the set. */
  readonly mark: Int32Array;
  epoch = 0;
  /** Delay of a flight in the set. */
  readonly delay: Int16Array;

  /** Flights and delays of the sets that were noted, one after the other. */
  notedFlight = new Int32Array(1024);
  notedDelay = new Int16Array(1024);
  noted = 0;

  constructor(flightCount: number) {
    this.flight = new Int32Array(flightCount);
    this.mark = new Int32Array(flightCount);
    this.delay = new Int16Array(flightCount);
  }

  /** Empties the set and the log. */
  clear(): void {
    this.count = 0;
    this.noted = 0;
    this.epoch++;
  }

  /** Takes out the flights among the first `count` whose delay is that of `delay` after all. */
  dropEqual(delay: Int16Array, count: number): void {
    const { flight, mark, delay: now } = this;
    let left = 0;
    for (let s = 0; s < this.count; s++) {
      const f = flight[s];
      if (s < count && now[f] === delay[f]) mark[f] = 0;
      else flight[left++] = f;
    }
    this.count = left;
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
