import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { flightMetres } from "./flight.ts";
import { sectionSearch } from "./section-search.ts";

describe("a thrown ball", () => {
  it("flies v² sin 2α / g metres in a vacuum", () => {
    for (const angleDegrees of [15, 45, 70]) {
      const metres = flightMetres(angleDegrees, {
        speedMetresPerSecond: 20,
        dragPerMetre: 0,
        headWindMetresPerSecond: 0,
      });
      const exact = (20 ** 2 * Math.sin((2 * angleDegrees * Math.PI) / 180)) / 9.81;
      assert.ok(Math.abs(metres - exact) < 0.001, `${metres} against ${exact}`);
    }
  });
});

describe("section search", () => {
  const hill = (x: number) => -((x - Math.PI) ** 2);

  for (const points of [2, 3, 7]) {
    it(`closes in on the top of a hill with ${points} points a round`, () => {
      const search = sectionSearch({ low: -10, high: 10, points, tolerance: 1e-6 });
      const open: number[] = [];
      for (let proposal = search.ask(); proposal.kind !== "done"; proposal = search.ask()) {
        if (proposal.kind === "candidate") open.push(proposal.candidate);
        else search.tell({ ok: true, value: hill(open.shift() ?? Number.NaN) }, 0);
      }
      assert.ok(Math.abs(search.result().x - Math.PI) < 1e-6);
    });
  }
});
