/**
 * Derives data/outlines.json.gz, the coasts and borders that maps are drawn with, from the npm packages world-atlas 2.0.2
 * (Natural Earth, public domain) and us-atlas 3.0.1 (United States Census Bureau, public domain). Run it from the
 * project's root:
 *
 *   npm install --no-save --prefix "$TMPDIR/atlas" world-atlas@2.0.2 us-atlas@3.0.1
 *   node packages/airspace/scripts/derive-outlines.ts "$TMPDIR/atlas/node_modules"
 *
 * Lines are thinned to what a map of a continent can show and kept as whole hundredths of a degree, each point as the
 * step from the one before it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

type Point = readonly [longitude: number, latitude: number];

interface Topology {
  readonly transform: { readonly scale: Point; readonly translate: Point };
  readonly arcs: readonly (readonly Point[])[];
  readonly objects: Readonly<Record<string, { readonly geometries: readonly { readonly arcs: unknown }[] }>>;
}

/** Degrees by which a thinned line may differ from the full one. */
const TOLERANCE = { coast: 0.08, state: 0.04 };
/** Closed lines whose longer side is below this many degrees are islets. */
const ISLET = 0.6;

const source = process.argv[2];
if (source === undefined) {
  console.error(
    "derive-outlines: give the node_modules folder with world-atlas and us-atlas (see the top of this script)",
  );
  process.exit(2);
}

const world = readTopology(join(source, "world-atlas", "countries-50m.json"));
const states = readTopology(join(source, "us-atlas", "states-10m.json"));
const coasts = world.arcs
  .map((_, arc) => thinned(pointsOf(world, arc), TOLERANCE.coast))
  .filter((line) => !isIslet(line));
const borders = sharedArcs(states, "states").map((arc) => thinned(pointsOf(states, arc), TOLERANCE.state));
const text = JSON.stringify({ borders: coasts.map(steps), states: borders.map(steps) });
const out = join(import.meta.dirname, "..", "data", "outlines.json.gz");
writeFileSync(out, gzipSync(text, { level: 9 }));
console.log(`${coasts.length} coasts and borders, ${borders.length} state lines, ${readFileSync(out).length} bytes`);

function readTopology(path: string): Topology {
  return JSON.parse(readFileSync(path, "utf8"));
}

function pointsOf({ arcs, transform }: Topology, arc: number): Point[] {
  let [x, y] = [0, 0];
  return arcs[arc].map(([dx, dy]) => {
    x += dx;
    y += dy;
    return [x * transform.scale[0] + transform.translate[0], y * transform.scale[1] + transform.translate[1]];
  });
}

/** Arcs that two shapes of an object have in common: the lines between them. */
function sharedArcs(topology: Topology, object: string): number[] {
  const uses = new Map<number, number>();
  const count = (part: unknown): void => {
    if (Array.isArray(part)) for (const inner of part) count(inner);
    else if (typeof part === "number") {
      const arc = part < 0 ? ~part : part;
      uses.set(arc, (uses.get(arc) ?? 0) + 1);
    }
  };
  for (const { arcs } of topology.objects[object].geometries) count(arcs);
  return [...uses].filter(([, times]) => times > 1).map(([arc]) => arc);
}

/** The line with only the points that it needs (Douglas and Peucker). */
function thinned(line: readonly Point[], tolerance: number): Point[] {
  if (line.length < 3) return [...line];
  const [first, last] = [line[0], line[line.length - 1]];
  let farthest = 0;
  let distance = 0;
  line.forEach((point, at) => {
    const away = distanceToSegment(point, first, last);
    if (away > distance) [farthest, distance] = [at, away];
  });
  if (distance <= tolerance) return [first, last];
  return [...thinned(line.slice(0, farthest + 1), tolerance).slice(0, -1), ...thinned(line.slice(farthest), tolerance)];
}

function distanceToSegment([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const squared = (bx - ax) ** 2 + (by - ay) ** 2;
  const along = squared === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / squared));
  return Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay));
}

function isIslet(line: readonly Point[]): boolean {
  const [first, last] = [line[0], line[line.length - 1]];
  if (first[0] !== last[0] || first[1] !== last[1]) return false;
  const side = (axis: 0 | 1): number => {
    const values = line.map((point) => point[axis]);
    return Math.max(...values) - Math.min(...values);
  };
  return Math.max(side(0), side(1)) < ISLET;
}

/** Hundredths of a degree: the first point, then steps; longitude and latitude in turn. */
function steps(line: readonly Point[]): number[] {
  let [x, y] = [0, 0];
  return line.flatMap(([longitude, latitude]) => {
    const [nextX, nextY] = [Math.round(longitude * 100), Math.round(latitude * 100)];
    const step = [nextX - x, nextY - y];
    [x, y] = [nextX, nextY];
    return step;
  });
}
