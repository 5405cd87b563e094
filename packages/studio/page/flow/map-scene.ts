import type { FlowView } from "@coppice/airspace/view";
import type { Ring } from "@coppice/airspace/what-if";
import type { Mark, Scene } from "../chart/scene.ts";
import type { Spot } from "../chart/spots.ts";
import type { Palette } from "../theme.ts";

type Place = Ring[number];

const MARGIN = 8;

/** How a volume is drawn. */
export interface VolumeLook {
  readonly fill: keyof Palette;
  readonly bold?: boolean;
  /** Text on it; where two would lie over each other, the one with more weight stays. */
  readonly label?: string;
  readonly weight?: number;
}

/** Degrees to pixels at a width; longitudes are as long as they are in the middle of the map. */
function projection({ frame }: FlowView["map"], width: number): { height: number; place: (at: Place) => Spot } {
  const squeeze = Math.cos((((frame.south + frame.north) / 2) * Math.PI) / 180);
  const scale = (width - 2 * MARGIN) / Math.max(1e-6, (frame.east - frame.west) * squeeze);
  return {
    height: Math.min(2 * width, 2 * MARGIN + (frame.north - frame.south) * scale),
    place: ([longitude, latitude]) => [
      MARGIN + (longitude - frame.west) * squeeze * scale,
      MARGIN + (frame.north - latitude) * scale,
    ],
  };
}

/** The map with a look for each volume. */
export function mapScene(map: FlowView["map"], width: number, lookOf: (volume: number) => VolumeLook): Scene {
  const { height, place } = projection(map, width);
  const looks = map.order.map((volume) => ({ volume, ...lookOf(volume) }));
  const shape = ({ volume, fill, bold = false }: (typeof looks)[number]): Mark => ({
    kind: "shape",
    rings: map.volumes[volume].map((ring) => ring.map(place)),
    fill,
    stroke: bold ? "ink" : "line",
    width: bold ? 2 : 0.6,
    radius: bold ? 5 : 3,
  });
  const line =
    (stroke: keyof Palette) =>
    (ring: Ring): Mark => ({ kind: "line", points: ring.map(place), stroke, width: 0.8 });
  return {
    width,
    height,
    marks: [
      ...looks.filter(({ bold }) => bold !== true).map(shape),
      ...map.states.map(line("line")),
      ...map.borders.map(line("muted")),
      ...looks.filter(({ bold }) => bold === true).map(shape),
      ...labels(
        looks
          .toReversed()
          .sort((a, b) => (b.weight ?? 0) - (a.weight ?? 0))
          .map(({ volume, label = "" }) => [label, middleOf(map.volumes[volume].flat().map(place))] as const),
        width,
        height,
      ),
    ],
  };
}

/** Texts that are on the map, none over another: the first that finds room. */
function labels(all: readonly (readonly [text: string, middle: Spot])[], width: number, height: number): Mark[] {
  const taken: { readonly x: number; readonly y: number; readonly half: number }[] = [];
  return all.flatMap(([text, [x, y]]): Mark[] => {
    const half = 4 * text.length;
    const isFree = taken.every((other) => Math.abs(other.x - x) > other.half + half || Math.abs(other.y - y) > 13);
    if (text === "" || !isFree || x < half || x > width - half || y < 8 || y > height - 8) return [];
    taken.push({ x, y, half });
    return [{ kind: "text", x, y: y + 4, text, fill: "ink", anchor: "middle", edged: true }];
  });
}

/** Volumes whose middles are as near as this to each other are gone through from north to south, in pixels. */
export const MAP_COLUMN = 24;

/** Where the volumes are that a drawing of this width shows. */
export function middles(map: FlowView["map"], width: number): readonly Spot[] {
  const { height, place } = projection(map, width);
  const all = map.order.map((volume) => middleOf(map.volumes[volume].flat().map(place)));
  return all.filter(([x, y]) => x >= 0 && x <= width && y >= 0 && y <= height);
}

/** The volume at a point of the drawing: the one that is drawn last. */
export function volumeAt(map: FlowView["map"], width: number, x: number, y: number): number | undefined {
  const { place } = projection(map, width);
  return map.order.findLast((volume) => map.volumes[volume].some((ring) => isInside(ring.map(place), x, y)));
}

/** By the crossings of a ray; a place is as large as its dot and a little more. */
function isInside(ring: readonly Spot[], x: number, y: number): boolean {
  if (ring.length === 1) return Math.hypot(ring[0][0] - x, ring[0][1] - y) < 6;
  let inside = false;
  ring.forEach(([x1, y1], at) => {
    const [x2, y2] = ring[(at + 1) % ring.length];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  });
  return inside;
}

function middleOf(spots: readonly Spot[]): Spot {
  const sum = spots.reduce(([ax, ay], [bx, by]) => [ax + bx, ay + by] as const, [0, 0] as const);
  return [sum[0] / spots.length, sum[1] / spots.length];
}
