import type { Instance } from "../instance/instance.ts";
import type { Ring } from "../instance/outline.ts";

/** A sector under others is drawn this much smaller for each layer above it, so that none hides another. */
const SMALLER = 0.66;

/** Overlap of two boxes, as a part of the lower one, from which on one sector counts as over the other. */
const OVER = 0.1;

/** How many layers of sectors lie over each volume, 0 for the highest and for cells and landings. */
export function layersOf({ volumeDetails }: Instance, shapes: readonly (readonly Ring[])[]): number[] {
  const boxes = shapes.map((rings) => boxOf(rings.flat()));
  const floors = volumeDetails.map(({ floor }) => floor ?? Number.NEGATIVE_INFINITY);
  const layered = volumeDetails.map(({ floor, ceiling }) => floor !== undefined || ceiling !== undefined);
  const depth = new Array<number>(shapes.length).fill(0);
  const fromAbove = [...shapes.keys()].filter((volume) => layered[volume]).sort((a, b) => floors[b] - floors[a]);
  for (const [at, volume] of fromAbove.entries()) {
    for (const higher of fromAbove.slice(0, at)) {
      if (floors[higher] > floors[volume] && covers(boxes[higher], boxes[volume])) {
        depth[volume] = Math.max(depth[volume], depth[higher] + 1);
      }
    }
  }
  return depth;
}

/** An outline as it is drawn under so many layers: smaller, about the middle of its box. */
export function shrunk(rings: readonly Ring[], layers: number): readonly Ring[] {
  if (layers === 0) return rings;
  const { west, east, south, north } = boxOf(rings.flat());
  const [x, y] = [(west + east) / 2, (south + north) / 2];
  const scale = SMALLER ** layers;
  return rings.map((ring) =>
    ring.map(([longitude, latitude]) => [x + scale * (longitude - x), y + scale * (latitude - y)] as const),
  );
}

interface Box {
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

/** The box around some places; of pixels, north is the greater number. */
export function boxOf(places: Ring): Box {
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
  return { west: Math.min(...xs), east: Math.max(...xs), south: Math.min(...ys), north: Math.max(...ys) };
}

function covers(above: Box, below: Box): boolean {
  const width = Math.min(above.east, below.east) - Math.max(above.west, below.west);
  const height = Math.min(above.north, below.north) - Math.max(above.south, below.south);
  const whole = (below.east - below.west) * (below.north - below.south);
  return width > 0 && height > 0 && width * height > OVER * whole;
}
