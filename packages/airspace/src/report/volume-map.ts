import { type Markup, markup, pixel } from "@coppice/engine/page";
import { isValidCell } from "h3-js";
import type { Instance } from "../instance/instance.ts";
import { namesOf } from "../instance/names.ts";
import { outlineOf, type Ring } from "../instance/outline.ts";
import { boxOf, type Layer, layersOf, shrunk } from "./layers.ts";
import { outlines } from "./outlines.ts";

const WIDTH = 960;
const MARGIN = 12;
/** Pixels that a letter of a name takes, about, and its line. */
const LETTER = { width: 13, height: 20 };
/** Shades of excess, from "none" up; the style sheet gives them colours. */
const SHADES = 5;

/** The frame holds every volume with at least this share of the busiest one's entries; a few far ones would make the rest tiny. */
const BUSY = 0.1;
/** Airports that are named for orientation, the busiest first. */
const NAMED_AIRPORTS = 20;

type Place = readonly [longitude: number, latitude: number];
type Spot = readonly [x: number, y: number];

/** A map of the volumes: outlines of cells and sectors, landings as dots, shaded by how far they are above capacity. */
export function volumeMap(instance: Instance, excess: Float64Array, most: number, label: string): Markup {
  const { height, place, shapes, layers } = drawn(instance);
  const order = shapes
    .keys()
    .toArray()
    .filter((volume) => shapes[volume].length > 0);
  // Dots lie on top of the outlines around them, lower sectors, drawn smaller, on top of higher ones, and what is over
  // capacity on top of what is not.
  order.sort(
    (a, b) =>
      Number(isDot(shapes[a])) - Number(isDot(shapes[b])) || layers[a].above - layers[b].above || excess[a] - excess[b],
  );
  const inFrame = ([x, y]: Spot): boolean => x >= 0 && x <= WIDTH && y >= 0 && y <= height;
  const { borders, states } = outlines();
  const lines = (name: string, all: readonly Ring[]): Markup[] =>
    all
      .map((line) => line.map(place))
      .filter((line) => line.some(inFrame))
      .map((line) => markup`<polyline class="${name}" points="${spots(line)}"/>\n`);
  return markup`<svg class="map" viewBox="0 0 ${WIDTH} ${Math.ceil(height)}" role="img" aria-label="${label}">
${order.map((volume) =>
  volumeShape(
    instance,
    volume,
    shapes[volume].map((ring) => ring.map(place)),
    excess[volume],
    most,
  ),
)}${lines(
  "state",
  states,
)}${lines("border", borders)}${airportDots(instance, place, inFrame)}${labels(instance, shapes, layers, excess, place, inFrame)}</svg>`;
}

function isDot(rings: readonly Ring[]): boolean {
  return rings.length === 1 && rings[0].length === 1;
}

function drawn(instance: Instance) {
  const whole = instance.volumeIds.map((_, volume) => shapesOf(instance, volume));
  const layers = layersOf(instance, whole);
  const shapes = whole.map((rings, volume) => shrunk(rings, layers[volume].above));
  const framed = busyVolumes(instance);
  return { shapes, layers, ...projectionFor(whole.filter((_, volume) => framed[volume]).flat(2)) };
}

/** Volumes above capacity that lie outside the frame, as text. */
export function outsideFrame(instance: Instance, excess: Float64Array): string[] {
  const { shapes, height, place } = drawn(instance);
  const isInside = ([x, y]: Spot) => x >= 0 && x <= WIDTH && y >= 0 && y <= height;
  return namesOf(instance).volumes.flatMap((name, volume) =>
    excess[volume] === 0 || shapes[volume].flat().map(place).some(isInside) ? [] : [`${name} (${excess[volume]})`],
  );
}

function airportDots(instance: Instance, place: (at: Place) => Spot, inFrame: (spot: Spot) => boolean): Markup[] {
  return instance.airportDetails.flatMap(({ latitude, longitude, city }, at) => {
    if (latitude === undefined || longitude === undefined) return [];
    const spot = place([longitude, latitude]);
    if (!inFrame(spot)) return [];
    const title = city === undefined ? instance.airports[at] : `${city} (${instance.airports[at]})`;
    return [
      markup`<circle class="airport" cx="${pixel(spot[0])}" cy="${pixel(spot[1])}" r="1.8"><title>${title}</title></circle>\n`,
    ];
  });
}

/**
 * Names that fit, none over another: what is above capacity first, the worst of it before the rest; then sectors, by
 * their id where the name is too long, then airports, busiest first.
 */
function labels(
  instance: Instance,
  shapes: readonly (readonly Ring[])[],
  layers: readonly Layer[],
  excess: Float64Array,
  place: (at: Place) => Spot,
  inFrame: (spot: Spot) => boolean,
): Markup[] {
  const entries = entriesOf(instance);
  const named = instance.volumeIds
    .map((id, volume) => ({ id, volume, rings: shapes[volume] }))
    .filter(({ rings, volume, id }) => rings.length > 0 && !isValidCell(id) && (!isDot(rings) || excess[volume] > 0))
    .sort(
      (a, b) => excess[b.volume] - excess[a.volume] || entries[b.volume] - entries[a.volume] || a.volume - b.volume,
    );
  const taken: { readonly x: number; readonly y: number; readonly width: number }[] = [];
  const label = (text: string, look: string, at: (width: number) => Spot, room = WIDTH): Markup | undefined => {
    const width = text.length * LETTER.width;
    const [x, y] = at(width);
    const free = taken.every(
      (other) => x + width < other.x || other.x + other.width < x || Math.abs(y - other.y) >= LETTER.height,
    );
    if (room < width || !free || !inFrame([x, y]) || !inFrame([x + width, y])) return undefined;
    taken.push({ x, y, width });
    const anchor = look === "place middle" ? x + width / 2 : x;
    return markup`<text class="${look}" x="${pixel(anchor)}" y="${pixel(y)}">${text}</text>\n`;
  };
  const beside =
    ([x, y]: Spot) =>
    (): Spot => [x + 7, y + 5];
  const { volumes: names } = namesOf(instance);
  const ofVolumes = named.map(({ id, rings, volume }) => {
    const box = boxOf(rings.flat().map(place));
    if (isDot(rings)) return label(id.replace("ARR:", ""), "place", beside([box.west, box.south]));
    // The middle of a sector over others is theirs; it is named at its upper edge.
    const y = layers[volume].coversOthers ? box.south + LETTER.height : (box.north + box.south) / 2;
    const middle = (width: number): Spot => [(box.west + box.east - width) / 2, y];
    const room = box.east - box.west;
    return label(names[volume], "place middle", middle, room) ?? label(id, "place middle", middle, room);
  });
  const ofAirports = busiestAirports(instance).map(({ code, at }) => label(code, "place small", beside(place(at))));
  return [...ofVolumes, ...ofAirports].filter((markup) => markup !== undefined);
}

function busiestAirports({ airports, airportDetails, flightOrigin, flightDestination }: Instance) {
  const flights = new Int32Array(airports.length);
  for (const ends of [flightOrigin, flightDestination]) for (const airport of ends) flights[airport]++;
  return airports
    .flatMap((code, airport) => {
      const { latitude, longitude } = airportDetails[airport];
      if (latitude === undefined || longitude === undefined) return [];
      return [{ code, at: [longitude, latitude] as const, flights: flights[airport] }];
    })
    .sort((a, b) => b.flights - a.flights || (a.code < b.code ? -1 : 1))
    .slice(0, NAMED_AIRPORTS);
}

function entriesOf({ volumeIds, visitVolume }: Instance): Int32Array {
  const entries = new Int32Array(volumeIds.length);
  for (const volume of visitVolume) entries[volume]++;
  return entries;
}

function busyVolumes(instance: Instance): boolean[] {
  const entries = entriesOf(instance);
  const busiest = entries.reduce((a, b) => Math.max(a, b), 0);
  return Array.from(entries, (count) => count >= BUSY * busiest);
}

function volumeShape(
  instance: Instance,
  volume: number,
  rings: readonly (readonly Spot[])[],
  excess: number,
  most: number,
): Markup {
  const id = instance.volumeIds[volume];
  const shade =
    excess === 0 ? 0 : Math.min(SHADES - 1, 1 + Math.floor(((SHADES - 1) * Math.sqrt(excess)) / Math.sqrt(most + 1)));
  const name = namesOf(instance).volumes[volume];
  const called = name === id ? id : `${id}, ${name}`;
  const title = markup`<title>${called}: ${excess === 0 ? "within capacity" : `${excess} over capacity`}</title>`;
  const look = `volume shade-${shade}`;
  if (rings[0].length === 1) {
    const [[[x, y]]] = rings;
    return markup`<circle class="${look}" data-volume="${id}" cx="${pixel(x)}" cy="${pixel(y)}" r="${excess === 0 ? 2.5 : 5}">${title}</circle>\n`;
  }
  return markup`${rings.map((ring) => markup`<polygon class="${look}" data-volume="${id}" points="${spots(ring)}">${title}</polygon>\n`)}`;
}

function spots(line: readonly Spot[]): string {
  return line.map(([x, y]) => `${pixel(x)},${pixel(y)}`).join(" ");
}

/** Rings of a volume's outline, or its place as a ring of one point; none where neither is known. */
function shapesOf(instance: Instance, volume: number): readonly Ring[] {
  const outline = outlineOf(instance, volume);
  if (outline.length > 0) return outline;
  const place = [instance.volumeLongitude[volume], instance.volumeLatitude[volume]] as const;
  return Number.isNaN(place[0]) || isValidCell(instance.volumeIds[volume]) ? [] : [[place]];
}

/** Degrees to pixels, filling the width; longitudes are drawn as long as they are in the middle of the map. */
function projectionFor(places: readonly Place[]): { readonly height: number; readonly place: (at: Place) => Spot } {
  if (places.length === 0) return { height: MARGIN, place: () => [0, 0] };
  const box = { south: 90, north: -90, west: 180, east: -180 };
  for (const [longitude, latitude] of places) {
    box.south = Math.min(box.south, latitude);
    box.north = Math.max(box.north, latitude);
    box.west = Math.min(box.west, longitude);
    box.east = Math.max(box.east, longitude);
  }
  const squeeze = Math.cos((((box.south + box.north) / 2) * Math.PI) / 180);
  const scale = (WIDTH - 2 * MARGIN) / Math.max(1e-6, (box.east - box.west) * squeeze);
  return {
    height: 2 * MARGIN + (box.north - box.south) * scale,
    place: ([longitude, latitude]) => [
      MARGIN + (longitude - box.west) * squeeze * scale,
      MARGIN + (box.north - latitude) * scale,
    ],
  };
}
