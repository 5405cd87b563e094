import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { randomInstance } from "../../test/random-instance.ts";
import type { Instance } from "../instance/instance.ts";
import type { Ring } from "../instance/outline.ts";
import { dayMap } from "./day-map.ts";
import { layersOf, shrunk } from "./layers.ts";

const square = (west: number, south: number, side: number): Ring => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
];

/** Sectors with floors, each a square. */
function sectors(
  ...all: readonly { readonly floor?: number; readonly ceiling?: number; readonly ring: Ring }[]
): Instance {
  const day = randomInstance(7);
  return {
    ...day,
    volumeIds: all.map((_, at) => `S${at}`),
    volumeDetails: all.map(({ ring, ...heights }) => ({ ...heights, outline: [[ring]] })),
    volumeLatitude: Float64Array.from(all, ({ ring }) => ring[0][1] + 1),
    volumeLongitude: Float64Array.from(all, ({ ring }) => ring[0][0] + 1),
    visitVolume: day.visitVolume.map(() => 0),
  };
}

describe("sectors that lie over each other", () => {
  const day = sectors(
    { ceiling: 24_000, ring: square(0, 0, 4) },
    { floor: 24_000, ceiling: 34_000, ring: square(0, 0, 4) },
    { floor: 34_000, ring: square(-1, -1, 6) },
    { floor: 24_000, ring: square(20, 0, 4) },
  );
  const shapes = day.volumeDetails.map(({ outline = [] }) => outline.flat());

  it("are in layers from the highest down; one that nothing lies over is whole", () => {
    assert.deepEqual(layersOf(day, shapes), [2, 1, 0, 0]);
    assert.equal(shrunk(shapes[2], 0), shapes[2]);
  });

  it("are all seen on the map: a lower one is drawn later, smaller, inside its own outline", () => {
    const { order, volumes } = dayMap(day);
    assert.ok(order.indexOf(2) < order.indexOf(1) && order.indexOf(1) < order.indexOf(0), String(order));
    const width = (volume: number) => {
      const xs = volumes[volume].flat().map(([x]) => x);
      return Math.max(...xs) - Math.min(...xs);
    };
    assert.ok(width(0) < width(1) && width(1) < width(2));
  });
});
