import { assembleInstance, type FlightDraft, type Instance } from "@coppice/airspace";
import type { Flow } from "@coppice/airspace/published";
import { type Random, random } from "@coppice/engine";

/** A generated day of the size of the published benchmark, and the hotspot whose rates are searched. */
export interface BenchmarkDay {
  readonly instance: Instance;
  readonly hotspot: {
    readonly volume: number;
    readonly window: readonly [number, number];
    readonly flows: readonly Flow[];
  };
}

const VOLUMES = 40;
const FLIGHTS = 2_000;
const BIN_SECONDS = 900;
const BINS = 96;
const HOTSPOT = 2;
const HOTSPOT_WINDOW = [26, 43] as const;
const HOTSPOT_FLIGHTS = 224;
const HOTSPOT_FLOWS = 6;

/** 40 volumes, 96 bins, 2,000 flights with about 15,180 intervals; 6 flows with about 430 requests at the hotspot. */
export function benchmarkDay(seed = 2): BenchmarkDay {
  const drafts: FlightDraft[] = [];
  for (let f = 0; f < FLIGHTS; f++) drafts.push(flight(f, random(seed).at("flight").at(f)));
  const capacity = new Float64Array(VOLUMES * BINS).fill(60);
  capacity.fill(76, HOTSPOT * BINS, (HOTSPOT + 1) * BINS);
  const instance = assembleInstance({
    name: "benchmark",
    start: "2024-06-01T00:00:00Z",
    binMinutes: BIN_SECONDS / 60,
    volumes: Array.from({ length: VOLUMES }, (_, v) => ({ id: `TV${String(v).padStart(3, "0")}` })),
    flights: drafts,
    capacity,
  });
  const flows = Array.from({ length: HOTSPOT_FLOWS }, (_, flow) => ({
    id: String(flow),
    flights: Array.from({ length: HOTSPOT_FLIGHTS }, (_, f) => f).filter((f) => f % HOTSPOT_FLOWS === flow),
  }));
  return { instance, hotspot: { volume: HOTSPOT, window: HOTSPOT_WINDOW, flows } };
}

/** The first flights cross the hotspot in its window; the others cross four or five other volumes at any time of day. */
function flight(index: number, dice: Random): FlightDraft {
  const busy = index < HOTSPOT_FLIGHTS;
  const path = dice.shuffle(Array.from({ length: VOLUMES }, (_, v) => v).filter((v) => v !== HOTSPOT)).slice(0, 4);
  const place = busy ? dice.integer(0, path.length) : -1;
  if (busy) path.splice(place, 0, HOTSPOT);
  const dwell = path.map((volume) => (volume === HOTSPOT ? dice.integer(500, 1_160) : dice.integer(200, 1_330)));
  const before = dwell.slice(0, Math.max(0, place)).reduce((sum, seconds) => sum + seconds, 0);
  const entersHotspot = dice.integer(HOTSPOT_WINDOW[0] * BIN_SECONDS, HOTSPOT_WINDOW[1] * BIN_SECONDS - 1_200);
  const takeoffSecond = busy ? entersHotspot - before : dice.integer(4 * 3_600, 21 * 3_600);
  let entrySecond = 0;
  const visits = path.flatMap((volume, i) => {
    const entered = entrySecond;
    entrySecond += dwell[i];
    return binsOf(takeoffSecond, entered, entrySecond).map((interval) => ({ volume, ...interval }));
  });
  return { id: `FL${String(index).padStart(5, "0")}`, takeoffSecond, visits };
}

/** A stay in a volume, cut at the edges of bins. */
function binsOf(
  takeoffSecond: number,
  entered: number,
  left: number,
): { indexBin: number; entrySecond: number; exitSecond: number }[] {
  const parts: { indexBin: number; entrySecond: number; exitSecond: number }[] = [];
  for (let from = entered; from < left; ) {
    const indexBin = Math.floor((takeoffSecond + from) / BIN_SECONDS);
    const to = Math.min(left, (indexBin + 1) * BIN_SECONDS - takeoffSecond);
    parts.push({ indexBin, entrySecond: from, exitSecond: to });
    from = to;
  }
  return parts;
}
