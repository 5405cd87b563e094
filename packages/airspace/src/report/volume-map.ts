import { type Markup, markup, pixel } from "@coppice/engine/page";
import { cellToBoundary, isValidCell } from "h3-js";
import type { Instance } from "../instance/instance.ts";

const WIDTH = 960;
const MARGIN = 12;
/** Pixels that an airport's name takes, about. */
const NAME = { width: 40, height: 20 };
/** Shades of excess, from "none" up; the style sheet gives them colours. */
const SHADES = 5;

/** The frame holds every volume with at least this share of the busiest one's entries; a few far ones would make the rest tiny. */
const BUSY = 0.1;

type Point = readonly [latitude: number, longitude: number];

/** A map of the volumes: cells as outlines, airports as dots, shaded by how far they are above capacity. */
export function volumeMap(instance: Instance, excess: Float64Array, most: number, label: string): Markup {
  const shapes = instance.volumeIds.map((id, volume) => outlineOf(instance, id, volume));
  const framed = busyVolumes(instance);
  const flat = projectionFor(shapes.filter((_, volume) => framed[volume]).flat());
  const order = instance.volumeIds.map((_, volume) => volume).filter((volume) => shapes[volume].length > 0);
  // Airports lie on top of the cells around them, and what is over capacity on top of what is not.
  order.sort((a, b) => shapes[b].length - shapes[a].length || excess[a] - excess[b]);
  const named = namedPlaces(order, shapes, excess, flat.place);
  return markup`<svg class="map" viewBox="0 0 ${WIDTH} ${Math.ceil(flat.height)}" role="img" aria-label="${label}">
${order.map((volume) => volumeShape(instance, volume, shapes[volume].map(flat.place), excess[volume], most))}${order
  .filter((volume) => named.has(volume))
  .map((volume) => placeName(instance.volumeIds[volume], flat.place(shapes[volume][0])))}</svg>`;
}

/** Airports above capacity whose names fit: the worst first, and none over another. The others keep their tooltip. */
function namedPlaces(
  volumes: readonly number[],
  shapes: readonly (readonly Point[])[],
  excess: Float64Array,
  place: (point: Point) => readonly [number, number],
): Set<number> {
  const named = new Map<number, readonly [number, number]>();
  const airports = volumes.filter((volume) => shapes[volume].length === 1 && excess[volume] > 0);
  for (const volume of airports.toSorted((a, b) => excess[b] - excess[a] || a - b)) {
    const [x, y] = place(shapes[volume][0]);
    const isFree = [...named.values()].every(
      ([otherX, otherY]) => Math.abs(x - otherX) >= NAME.width || Math.abs(y - otherY) >= NAME.height,
    );
    if (isFree) named.set(volume, [x, y]);
  }
  return new Set(named.keys());
}

function placeName(id: string, [x, y]: readonly [number, number]): Markup {
  return markup`<text class="place" x="${pixel(x) + 7}" y="${pixel(y) + 5}">${id.replace("ARR:", "")}</text>\n`;
}

/** Volumes above capacity that lie outside the frame, as text. */
export function outsideFrame(instance: Instance, excess: Float64Array): string[] {
  const shapes = instance.volumeIds.map((id, volume) => outlineOf(instance, id, volume));
  const framed = busyVolumes(instance);
  const { height, place } = projectionFor(shapes.filter((_, volume) => framed[volume]).flat());
  const isInside = ([x, y]: readonly [number, number]) => x >= 0 && x <= WIDTH && y >= 0 && y <= height;
  return instance.volumeIds.flatMap((id, volume) =>
    excess[volume] === 0 || shapes[volume].map(place).some(isInside) ? [] : [`${id} (${excess[volume]})`],
  );
}

function busyVolumes({ volumeIds, visitVolume }: Instance): boolean[] {
  const entries = new Int32Array(volumeIds.length);
  for (const volume of visitVolume) entries[volume]++;
  const busiest = entries.reduce((a, b) => Math.max(a, b), 0);
  return Array.from(entries, (count) => count >= BUSY * busiest);
}

function volumeShape(
  instance: Instance,
  volume: number,
  points: readonly (readonly [number, number])[],
  excess: number,
  most: number,
): Markup {
  const id = instance.volumeIds[volume];
  const shade =
    excess === 0 ? 0 : Math.min(SHADES - 1, 1 + Math.floor(((SHADES - 1) * Math.sqrt(excess)) / Math.sqrt(most + 1)));
  const title = markup`<title>${id}: ${excess === 0 ? "within capacity" : `${excess} over capacity`}</title>`;
  const name = `volume shade-${shade}`;
  if (points.length === 1) {
    const [[x, y]] = points;
    return markup`<circle class="${name}" data-volume="${id}" cx="${pixel(x)}" cy="${pixel(y)}" r="${excess === 0 ? 2.5 : 5}">${title}</circle>\n`;
  }
  const path = points.map(([x, y]) => `${pixel(x)},${pixel(y)}`).join(" ");
  return markup`<polygon class="${name}" data-volume="${id}" points="${path}">${title}</polygon>\n`;
}

/** Outline of an H3 cell; the place of any other volume; nothing where the place is unknown. */
function outlineOf(instance: Instance, id: string, volume: number): Point[] {
  if (isValidCell(id)) {
    const outline = cellToBoundary(id).map(([latitude, longitude]): Point => [latitude, longitude]);
    const longitudes = outline.map(([, longitude]) => longitude);
    const acrossDateLine = Math.max(...longitudes) - Math.min(...longitudes) > 180;
    return acrossDateLine ? [] : outline;
  }
  const place: Point = [instance.volumeLatitude[volume], instance.volumeLongitude[volume]];
  return Number.isNaN(place[0]) ? [] : [place];
}

/** Degrees to pixels, filling the width; longitudes are drawn as long as they are in the middle of the map. */
function projectionFor(points: readonly Point[]): {
  readonly height: number;
  readonly place: (point: Point) => readonly [number, number];
} {
  if (points.length === 0) return { height: MARGIN, place: () => [0, 0] };
  const box = { south: 90, north: -90, west: 180, east: -180 };
  for (const [latitude, longitude] of points) {
    box.south = Math.min(box.south, latitude);
    box.north = Math.max(box.north, latitude);
    box.west = Math.min(box.west, longitude);
    box.east = Math.max(box.east, longitude);
  }
  const squeeze = Math.cos((((box.south + box.north) / 2) * Math.PI) / 180);
  const scale = (WIDTH - 2 * MARGIN) / Math.max(1e-6, (box.east - box.west) * squeeze);
  return {
    height: 2 * MARGIN + (box.north - box.south) * scale,
    place: ([latitude, longitude]) => [
      MARGIN + (longitude - box.west) * squeeze * scale,
      MARGIN + (box.north - latitude) * scale,
    ],
  };
}
