import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { randomInstance } from "../../../test/random-instance.ts";
import { assembleInstance, type FlightDraft } from "../../instance/assemble.ts";
import { groupFlights } from "./flow-groups.ts";

const none = { direction: { mode: "none" }, trim: "none" } as const;

/** Two crowds that fly different ways, and one flight that shares a bit of both. */
function bridged() {
  const paths = [...Array(5).fill([0, 1, 2, 3]), ...Array(5).fill([5, 6, 7, 8]), [0, 1, 5, 6]] as number[][];
  const flights = paths.map(
    (path, f): FlightDraft => ({
      id: `F${f}`,
      takeoffSecond: 0,
      visits: path.map((volume, at) => ({ volume, entrySecond: 60 * at, exitSecond: 60 * at + 60, indexBin: 0 })),
    }),
  );
  const volumes = Array.from({ length: 9 }, (_, v) => ({ id: `V${v}` }));
  return assembleInstance({
    name: "bridged",
    start: "2024-01-01T00:00:00Z",
    binMinutes: 60,
    volumes,
    flights,
    capacity: new Float64Array(9 * 24),
  });
}

describe("grouping flights", () => {
  const day = bridged();
  const everyone = day.flightIds.map((_, flight) => flight);

  it("joins two crowds by a single flight between them when components are taken", () => {
    assert.deepEqual(new Set(groupFlights(day, everyone, 4, none)), new Set([0]));
  });

  it("tells the crowds apart when communities are taken", () => {
    const labels = groupFlights(day, everyone, 4, { ...none, communities: { seed: 1 } });
    assert.deepEqual(labels.slice(0, 10), [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
  });

  it("gives the same communities for the same seed, and never joins what components keep apart", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat({ max: 9 }), (day, seed) => {
        const instance = randomInstance(day);
        const flights = instance.flightIds.map((_, flight) => flight);
        const options = { ...none, similarityThreshold: 0.4, communities: { seed } };
        const labels = groupFlights(instance, flights, 0, options);
        assert.deepEqual(groupFlights(instance, flights, 0, options), labels);
        const { communities: _, ...plain } = options;
        const components = groupFlights(instance, flights, 0, plain);
        const componentOf = new Map<number, number>();
        labels.forEach((label, at) => {
          assert.equal(componentOf.get(label) ?? components[at], components[at]);
          componentOf.set(label, components[at]);
        });
      }),
      { numRuns: 60 },
    );
  });
});
