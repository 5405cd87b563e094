import type { RateTables } from "./tables.ts";

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
  const integers = (name: (typeof integerArrays)[number]) => new Int32Array(bufferOf(shared, name));
  const numbers = (name: (typeof numberArrays)[number]) => new Float64Array(bufferOf(shared, name));
  return {
    ...header,
    requestOffset: integers("requestOffset"),
    requestMinute: numbers("requestMinute"),
    requestFlight: integers("requestFlight"),
    readyEnd: integers("readyEnd"),
    demand: integers("demand"),
    flightOffset: integers("flightOffset"),
    flightWeight: integers("flightWeight"),
    startDelay: integers("startDelay"),
    visitOffset: integers("visitOffset"),
    visitRow: integers("visitRow"),
    visitMinute: integers("visitMinute"),
    count: integers("count"),
    capacity: numbers("capacity"),
    alpha: numbers("alpha"),
    beta: numbers("beta"),
    gamma: numbers("gamma"),
    freeSmoothness: numbers("freeSmoothness"),
    besideWanted: integers("besideWanted"),
    besideReleased: integers("besideReleased"),
  };
}

function bufferOf(shared: SharedTables["shared"], name: string): SharedArrayBuffer {
  const buffer = shared[name];
  if (buffer === undefined) throw new Error(`the worker was started without the array ${name}`);
  return buffer;
}
