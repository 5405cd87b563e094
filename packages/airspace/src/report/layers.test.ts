import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { randomInstance } from "../../test/random-instance.ts";
import type { Instance } from "../instance/instance.ts";
import type { Ring } from "../instance/outline.ts";
import { demandChart } from "./demand-chart.ts";
import { layersOf, shrunk } from "./layers.ts";
import { volumeMap } from "./volume-map.ts";

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
    assert.deepEqual(
      layersOf(day, shapes).map(({ above }) => above),
      [2, 1, 0, 0],
    );
    assert.deepEqual(
      layersOf(day, shapes).map(({ coversOthers }) => coversOthers),
      [false, true, true, false],
    );
    assert.equal(shrunk(shapes[2], 0), shapes[2]);
  });

  it("are all seen on the map: a lower one is drawn later, smaller, inside its own outline", () => {
    const map = volumeMap(day, Float64Array.from([0, 9, 5, 1]), 9, "map").text;
    const drawn = [...map.matchAll(/data-volume="(S\d)" points="([^"]+)"/g)].map(([, id, points]) => ({
      id,
      xs: points.split(" ").map((point) => Number(point.split(",")[0])),
    }));
    const order = drawn.map(({ id }) => id);
    assert.ok(order.indexOf("S2") < order.indexOf("S1") && order.indexOf("S1") < order.indexOf("S0"), String(order));
    const width = (id: string) => {
      const xs = drawn.find((each) => each.id === id)?.xs ?? [];
      return Math.max(...xs) - Math.min(...xs);
    };
    assert.ok(width("S0") < width("S1") && width("S1") < width("S2"));
  });
});

describe("a chart of demand and capacity", () => {
  const chart = (capacity: readonly number[]) =>
    demandChart({
      title: "V",
      before: Int32Array.from([1, 2, 6, 2]),
      after: undefined,
      capacity: Float64Array.from(capacity),
      hourLabel: String,
    }).text;
  const limitOf = (text: string) => /class="limit" d="([^"]*)"/.exec(text)?.[1];

  it("draws no limit where there is none, or where it is far above all traffic", () => {
    assert.equal(limitOf(chart(Array(4).fill(Number.POSITIVE_INFINITY))), undefined);
    assert.equal(limitOf(chart(Array(4).fill(9999))), undefined);
    const some = limitOf(chart([3, Number.POSITIVE_INFINITY, 3, 3])) ?? "";
    assert.equal(some.split("M").length - 1, 2, "two stretches");
    assert.equal(some.split("H").length - 1, 3, "of three bins");
    assert.match(chart([9999, 3, 3, 3]), /text-anchor="end">6</, "the scale is that of the traffic");
  });
});
