import type { Mark, Scene } from "../chart/scene.ts";
import type { DrawnTree } from "./drawn-tree.ts";
import { between, COLUMN, type Layout, LINE, MARGIN, NAME, type Placed } from "./tree-layout.ts";

/** Which part of a tree is in sight: what is at the top left, and how large. */
export interface Sight {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** Below this size nobody can read a name. */
const READABLE = 0.7;
/** Letters of a label that have room in a column, and the width of one. */
export const MOST_LETTERS = 33;
const LETTER = NAME / MOST_LETTERS;
const [SMALLEST, LARGEST] = [3, 8];
/** Of a drawing: no higher than two screens, and no lower than a few lines. */
const [LEAST, HIGHEST] = [120, 1200];
/** Of one that is too large to be read whole. */
const OVERVIEW = 520;

/** The tree as it is seen: what is out of sight, or in a pixel that already has something, is left out. */
export function treeScene(
  nodes: DrawnTree,
  layout: Layout,
  sight: Sight,
  chosen: Placed | undefined,
  size: { readonly width: number; readonly height: number },
): Scene {
  const { x: left, y: top, scale } = sight;
  const at = (x: number, y: number) => [(x - left) * scale + MARGIN, (y - top) * scale + MARGIN] as const;
  const radius = radiusOf(nodes);
  const edges: Mark[] = [];
  const bold: Mark[] = [];
  const dots: Mark[] = [];
  const taken = new Set<number>();
  const inSight = between(layout, top - LINE, top + size.height / scale + LINE);
  for (const place of new Set([...inSight, ...layout.crossings])) {
    const { best, colour, label, weight } = nodes[place.idea];
    const [x, y] = at(place.x, place.y);
    const onBest = best && place.folded === 0;
    if (place.parent !== undefined) {
      const [fromX, fromY] = at(place.parent.x, place.parent.y);
      const bend = layout.isOutline ? ([fromX, y] as const) : ([fromX + (COLUMN - 30) * scale, fromY] as const);
      const points = [[fromX, fromY] as const, bend, [x, y] as const];
      if (onBest) bold.push({ kind: "line", points, stroke: "accent", width: 3 });
      else if (isNew(taken, x - 1, y, onBest)) edges.push({ kind: "line", points, stroke: "line" });
    }
    if (!isNew(taken, x, y, onBest)) continue;
    const isChosen = place.key === chosen?.key;
    if (place.folded === 0) {
      const size = Math.max(1.5, radius(weight) * Math.min(1, scale));
      const stroke = isChosen ? "ink" : "raised";
      dots.push({
        kind: "shape",
        rings: [[[x, y]]],
        fill: colour,
        stroke,
        radius: size,
        width: isChosen ? 3 : 1,
      });
    }
    if (scale < READABLE) continue;
    const side = place.folded > 0 ? 0 : radius(weight) + 4;
    const letters = layout.isOutline ? Math.floor((size.width - x - side) / LETTER) : MOST_LETTERS;
    const text = place.folded > 0 ? `and ${place.folded} more …` : shortened(label, letters);
    const fill = place.folded > 0 && !isChosen ? "muted" : "ink";
    dots.push({
      kind: "text",
      x: x + side,
      y: place.hasBelow && !layout.isOutline ? y - 5 : y + 4,
      text,
      fill,
      edged: true,
    });
  }
  return { ...size, marks: [...edges, ...bold, ...dots] };
}

/** Whether nothing was drawn at this pixel yet; the best path is drawn whatever is there. */
function isNew(taken: Set<number>, x: number, y: number, always: boolean): boolean {
  const pixel = Math.round(x) * 100_000 + Math.round(y);
  if (taken.has(pixel)) return always;
  taken.add(pixel);
  return true;
}

/** By where a weight lies between the least and the most. */
function radiusOf(nodes: DrawnTree): (weight: number | null) => number {
  const [low, high] = nodes.reduce(
    ([least, most], { weight }) =>
      weight === null ? [least, most] : [Math.min(least, weight), Math.max(most, weight)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  return (weight) => {
    if (weight === null || high <= low) return SMALLEST + 1;
    return SMALLEST + (LARGEST - SMALLEST) * Math.sqrt((weight - low) / (high - low));
  };
}

/** A name of so many letters at most. */
export function shortened(name: string, letters: number): string {
  return name.length > letters ? `${name.slice(0, Math.max(0, letters - 1))}…` : name;
}

/** What is drawn under a point, or beside it where its name is. */
export function placeAt(layout: Layout, { x: left, y: top, scale }: Sight, px: number, py: number): Placed | undefined {
  const [x, y] = [(px - MARGIN) / scale + left, (py - MARGIN) / scale + top];
  const reach = Math.max(LINE / 2, 6 / scale);
  const near = between(layout, y - reach, y + reach).filter((place) => {
    return x >= place.x - 10 / scale && x <= place.x + COLUMN - 30;
  });
  const distance = (place: Placed) => Math.abs(place.y - y) + Math.abs(place.x - x) / COLUMN;
  return near.reduce<Placed | undefined>(
    (best, place) => (best === undefined || distance(place) < distance(best) ? place : best),
    undefined,
  );
}

/** The whole tree at once, names included; not larger than it is made. */
export function fitted(layout: Layout, room: { readonly width: number; readonly height: number }): Sight {
  const scale = Math.min(widthScale(layout, room.width), (room.height - 2 * MARGIN) / layout.height);
  return { x: 0, y: 0, scale: Math.max(scale, 0.002) };
}

/** How high a drawing is: as high as its lines, unless these are too many to be read at once. */
export function heightOf(layout: Layout, width: number): number {
  const whole = layout.height * widthScale(layout, width) + 2 * MARGIN;
  return whole > HIGHEST ? OVERVIEW : Math.max(LEAST, whole);
}

function widthScale({ across }: Layout, width: number): number {
  return across === 0 ? 1 : Math.min(1, Math.max(0, width - 2 * MARGIN - NAME) / across);
}
