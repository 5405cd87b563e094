/**
 * Everything the evaluation of a rate vector reads, as flat arrays. Built once per regulation; the two semantics differ
 * only in how they fill it: who requests, from when on, whose visits move, what exceedance costs.
 *
 * Flights are numbered so that those whose delay flow f decides are [flightOffset[f], flightOffset[f + 1]); cells are
 * [volume * binCount + bin] over the volumes these flights visit.
 */
export interface RateTables {
  /** `quota`: whole flights per bin, the rest in the bin after the last; `slots`: one every 60/rate minutes until all are out. */
  readonly release: "quota" | "slots";
  readonly binMinutes: number;
  readonly binCount: number;
  readonly windowFrom: number;
  readonly windowTo: number;
  readonly flowCount: number;

  /** Requests of flow f are [requestOffset[f], requestOffset[f + 1]), in the order they are served. */
  readonly requestOffset: Int32Array;
  /** Minute of the day at which each wants to enter. */
  readonly requestMinute: Float64Array;
  /** Flight whose delay this request decides, or -1: a flight requested several times keeps its last release. */
  readonly requestFlight: Int32Array;
  /** Requests of flow f that are ready in bin t end before request readyEnd[f * binCount + t]. */
  readonly readyEnd: Int32Array;
  /** Requests per flow and bin; binCount + 1 slots each, the last for what is left over. */
  readonly demand: Int32Array;

  readonly flightOffset: Int32Array;
  /** How often each flight's move counts. */
  readonly flightWeight: Int32Array;
  /** Minutes each flight is late when no rate applies. */
  readonly startDelay: Int32Array;
  readonly maxDelayMinutes: number;
  /** Visits of flight i are [visitOffset[i], visitOffset[i + 1]). */
  readonly visitOffset: Int32Array;
  /** First cell of the visited volume. */
  readonly visitRow: Int32Array;
  /** Minute that decides the visit's bin, before any delay. */
  readonly visitMinute: Int32Array;

  /** Flights per cell when no rate applies. */
  readonly count: Int32Array;
  readonly capacity: Float64Array;
  readonly alpha: Float64Array;
  /** Weights of a flow's releases per flow and bin: of what differs from demand, and of change to the next bin. */
  readonly beta: Float64Array;
  readonly gamma: Float64Array;
  /** Change from bin to bin that each flow is not charged for. */
  readonly freeSmoothness: Float64Array;
  /**
   * Other lines that flows share the volume with, per line and bin: flights that want to enter and that are let in. With
   * slots a flow is itself such a line while it has a rate.
   */
  readonly besideWanted: Int32Array;
  readonly besideReleased: Int32Array;
  readonly prices: RatePrices;
  /** What all flights and volumes outside the tables contribute, whatever the rates. */
  readonly constant: {
    readonly exceedance: number;
    readonly delayMinutes: number;
    readonly entries: number;
    readonly regularity: number;
    readonly smoothness: number;
    readonly share: number;
  };
}

/** Factors of whole or single-precision sums, applied last, so that the sums themselves stay exact. */
interface RatePrices {
  readonly exceedance: number;
  readonly delayMinute: number;
  /** Per flow with a rate. */
  readonly entry: number;
  readonly regularity: number;
  readonly smoothness: number;
  readonly share: number;
  readonly spill: number;
  /** Weights of what is left over at the end of the day. */
  readonly betaOverflow: number;
  readonly gammaOverflow: number;
}

const integerArrays = [
  "requestOffset",
  "requestFlight",
  "readyEnd",
  "demand",
  "flightOffset",
  "flightWeight",
  "startDelay",
  "visitOffset",
  "visitRow",
  "visitMinute",
  "count",
  "besideWanted",
  "besideReleased",
] as const satisfies readonly (keyof RateTables)[];
const numberArrays = [
  "requestMinute",
  "capacity",
  "alpha",
  "beta",
  "gamma",
  "freeSmoothness",
] as const satisfies readonly (keyof RateTables)[];

type ArrayName = (typeof integerArrays)[number] | (typeof numberArrays)[number];

/** What of the tables is not an array. */
export type TableHeader = Omit<RateTables, ArrayName>;

/** Tables as workers receive them, once: a small header and arrays that threads share without a copy. */
export interface SharedTables {
  readonly header: TableHeader;
  readonly shared: Readonly<Record<string, SharedArrayBuffer>>;
}

/** A copy of the tables of a rate search in memory that threads share. */
export function shareTables(tables: RateTables): SharedTables {
  const shared: Record<string, SharedArrayBuffer> = {};
  for (const name of [...integerArrays, ...numberArrays]) {
    const { buffer, byteOffset, byteLength } = tables[name];
    const copy = new SharedArrayBuffer(byteLength);
    new Uint8Array(copy).set(new Uint8Array(buffer, byteOffset, byteLength));
    shared[name] = copy;
  }
  const { release, binMinutes, binCount, windowFrom, windowTo, flowCount, maxDelayMinutes, prices, constant } = tables;
  const header = { release, binMinutes, binCount, windowFrom, windowTo, flowCount, maxDelayMinutes, prices, constant };
  return { header, shared };
}

/** The tables in a worker; their arrays are views of the shared ones. */
export function openTables({ header, shared }: SharedTables): RateTables {
  const integers = integerArrays.map((name) => [name, new Int32Array(bufferOf(shared, name))]);
  const numbers = numberArrays.map((name) => [name, new Float64Array(bufferOf(shared, name))]);
  // Cast: the two lists name every array of the tables, by their type.
  return { ...header, ...Object.fromEntries([...integers, ...numbers]) } as RateTables;
}

function bufferOf(shared: SharedTables["shared"], name: string): SharedArrayBuffer {
  const buffer = shared[name];
  if (buffer === undefined) throw new Error(`the worker was started without the array ${name}`);
  return buffer;
}

/** Where each of several lists begins when they are laid end to end; the last entry is the total length. */
export function offsets(sizes: readonly number[]): Int32Array {
  const result = new Int32Array(sizes.length + 1);
  sizes.forEach((size, i) => {
    result[i + 1] = result[i] + size;
  });
  return result;
}

/** A list of each item, laid end to end in one typed array. */
export function concatenated<A extends Int32Array | Float64Array, Item>(
  Kind: new (length: number) => A,
  items: readonly Item[],
  listOf: (item: Item) => ArrayLike<number>,
): A {
  const lists = items.map(listOf);
  const result = new Kind(lists.reduce((sum, list) => sum + list.length, 0));
  let at = 0;
  for (const list of lists) {
    result.set(list, at);
    at += list.length;
  }
  return result;
}
