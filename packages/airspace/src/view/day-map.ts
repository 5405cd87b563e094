import { isValidCell } from "h3-js";
import type { Instance } from "../instance/instance.ts";
import { outlineOf, type Ring } from "../instance/outline.ts";
import { boxOf, layersOf, shrunk } from "./layers.ts";
import { outlines } from "./outlines.ts";

/** What a map of a day is drawn from, in degrees. */
export interface DayMap {
  /** The box that holds every busy volume; a few far ones would make the rest tiny. */
  readonly frame: { readonly west: number; readonly east: number; readonly south: number; readonly north: number };
  /** Rings of each volume, one point for a place; none where neither is known. A sector under others is drawn smaller. */
  readonly volumes: readonly (readonly Ring[])[];
  /** In which order volumes are drawn: places over outlines, lower sectors over higher ones. */
  readonly order: readonly number[];
  readonly borders: readonly Ring[];
  readonly states: readonly Ring[];
  readonly airports: Ring;
}

/** The frame holds every volume with at least this share of the busiest one's entries. */
const BUSY = 0.1;
/** Degrees around the frame in which lines are still worth drawing. */
const AROUND = 4;

/** The map of a day, without anything on it. */
export function dayMap(day: Instance): DayMap {
  const whole = day.volumeIds.map((_, volume) => shapeOf(day, volume));
  const layers = layersOf(day, whole);
  const volumes = whole.map((rings, volume) => shrunk(rings, layers[volume]).map(rounded));
  const busy = busyVolumes(day);
  const framed = whole.filter((_, volume) => busy[volume]).flat(2);
  const frame = boxOf(framed.length > 0 ? framed : whole.flat(2).concat([[0, 0]]));
  const isPlace = (volume: number) => volumes[volume][0]?.length === 1;
  const near = ([x, y]: Ring[number]) =>
    x > frame.west - AROUND && x < frame.east + AROUND && y > frame.south - AROUND && y < frame.north + AROUND;
  const { borders, states } = outlines();
  return {
    frame,
    volumes,
    order: [...volumes.keys()]
      .filter((volume) => volumes[volume].length > 0)
      .sort((a, b) => Number(isPlace(a)) - Number(isPlace(b)) || layers[a] - layers[b] || a - b),
    borders: borders.filter((line) => line.some(near)).map(rounded),
    states: states.filter((line) => line.some(near)).map(rounded),
    airports: rounded(
      day.airportDetails.flatMap(({ latitude, longitude }) =>
        latitude === undefined || longitude === undefined ? [] : [[longitude, latitude] as const],
      ),
    ),
  };
}

/** Rings of a volume's outline, or its place as a ring of one point. */
function shapeOf(day: Instance, volume: number): readonly Ring[] {
  const outline = outlineOf(day, volume);
  if (outline.length > 0) return outline;
  const place = [day.volumeLongitude[volume], day.volumeLatitude[volume]] as const;
  return Number.isNaN(place[0]) || isValidCell(day.volumeIds[volume]) ? [] : [[place]];
}

function busyVolumes({ volumeIds, visitVolume }: Instance): boolean[] {
  const entries = new Int32Array(volumeIds.length);
  for (const volume of visitVolume) entries[volume]++;
  const busiest = entries.reduce((a, b) => Math.max(a, b), 0);
  return Array.from(entries, (count) => count >= BUSY * busiest);
}

/** Hundredths of a degree, a kilometre, are finer than a page draws. */
function rounded(ring: Ring): Ring {
  return ring.map(([x, y]) => [Math.round(x * 100) / 100, Math.round(y * 100) / 100] as const);
}
