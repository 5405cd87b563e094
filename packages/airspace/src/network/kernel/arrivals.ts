/** Flights and when they want to enter a volume; a growable pair of columns that can be sorted by (minute, flight). */
export class Arrivals {
  flight = new Int32Array(64);
  minute = new Float64Array(64);
  count = 0;
  #sortedFlight = new Int32Array(64);
  #sortedMinute = new Float64Array(64);
  #bucket = new Int32Array(256);

  /** Makes room for `extra` more. */
  reserve(extra: number): void {
    const needed = this.count + extra;
    if (needed <= this.flight.length) return;
    const length = Math.max(needed, 2 * this.flight.length);
    this.flight = enlarged(this.flight, new Int32Array(length));
    this.minute = enlarged(this.minute, new Float64Array(length));
    this.#sortedFlight = new Int32Array(length);
    this.#sortedMinute = new Float64Array(length);
  }

  /** Sorts by (minute, flight): into buckets of a minute, then by insertion. All minutes lie in [from, to). */
  sort(from: number, to: number): void {
    const { count, flight, minute } = this;
    if (count < 12) {
      insertionSort(flight, minute, count);
      return;
    }
    const first = Math.floor(from);
    const buckets = Math.ceil(to) - first + 1;
    if (this.#bucket.length < buckets + 1) this.#bucket = new Int32Array(2 * buckets);
    const bucket = this.#bucket;
    bucket.fill(0, 0, buckets + 1);
    for (let i = 0; i < count; i++) bucket[((minute[i] - first) | 0) + 1]++;
    for (let b = 0; b < buckets; b++) bucket[b + 1] += bucket[b];
    const sortedFlight = this.#sortedFlight;
    const sortedMinute = this.#sortedMinute;
    for (let i = 0; i < count; i++) {
      const at = bucket[(minute[i] - first) | 0]++;
      sortedFlight[at] = flight[i];
      sortedMinute[at] = minute[i];
    }
    this.flight = sortedFlight;
    this.minute = sortedMinute;
    this.#sortedFlight = flight;
    this.#sortedMinute = minute;
    insertionSort(sortedFlight, sortedMinute, count);
  }
}

function insertionSort(flight: Int32Array, minute: Float64Array, count: number): void {
  for (let i = 1; i < count; i++) {
    const x = minute[i];
    const f = flight[i];
    let at = i;
    while (at > 0 && (minute[at - 1] > x || (minute[at - 1] === x && flight[at - 1] > f))) {
      minute[at] = minute[at - 1];
      flight[at] = flight[at - 1];
      at--;
    }
    minute[at] = x;
    flight[at] = f;
  }
}

function enlarged<Column extends Int32Array | Float64Array>(column: Column, larger: Column): Column {
  larger.set(column);
  return larger;
}
