import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Curve } from "./curve.ts";

describe("a convergence curve", () => {
  it("keeps where the value changed, and the last tell", () => {
    const curve = new Curve();
    for (const [told, best] of [
      [1, 9],
      [2, 9],
      [3, 7],
      [4, 7],
      [8, 7],
    ])
      curve.add(told, best);
    assert.deepEqual(curve.points(), [
      { told: 1, best: 9 },
      { told: 3, best: 7 },
      { told: 8, best: 7 },
    ]);
  });

  it("skips a replay of what it knows", () => {
    const curve = new Curve();
    const tells = () => curve.points().map(({ told }) => told);
    for (const told of [1, 2, 3, 1, 2]) curve.add(told, 10 - told);
    assert.deepEqual(tells(), [1, 2, 3]);
    for (const told of [3, 4]) curve.add(told, 10 - told);
    assert.deepEqual(tells(), [1, 2, 3, 4]);
  });

  it("stays a few hundred points in order, whatever is told", () => {
    const steps = fc.array(fc.record({ tells: fc.integer({ min: 1, max: 50 }), best: fc.integer() }), {
      maxLength: 3000,
      size: "max",
    });
    fc.assert(
      fc.property(steps, (given) => {
        const curve = new Curve();
        let told = 0;
        for (const { tells, best } of given) {
          told += tells;
          curve.add(told, best);
        }
        const points = curve.points();
        assert.ok(points.length <= 601);
        assert.equal(points.at(-1)?.told, given.length === 0 ? undefined : told);
        assert.ok(points.every((point, index) => index === 0 || point.told > points[index - 1].told));
      }),
      { numRuns: 50 },
    );
  });
});
