import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { random } from "@coppice/engine";
import { evaluationsFor } from "./serial-curve.ts";
import { simulatedTime } from "./simulated-rounds.ts";

describe("what walkers are worth", () => {
  it("is read off the line through what one search reaches", () => {
    const curve = [1000, 2000, 4000, 8000].map((evaluations) => ({
      evaluations,
      objective: 1300 - 20 * Math.log2(evaluations / 1000),
    }));
    assert.ok(Math.abs(evaluationsFor(curve, 1260) - 4000) < 1e-6);
    assert.ok(Math.abs(evaluationsFor(curve, 1220) - 16_000) < 1e-6, "also beyond its last point");
    const flat = curve.map(({ evaluations }) => ({ evaluations, objective: 1300 }));
    assert.equal(evaluationsFor(flat, 1260), Number.POSITIVE_INFINITY);
  });

  it("takes all segments one after the other on one worker, and the longest of each round on as many as there are", () => {
    const draw = random(7);
    for (let sample = 0; sample < 200; sample++) {
      const drawn = (least: number, most: number) => draw.integer(least, most);
      const rounds = Array.from({ length: drawn(1, 6) }, () => Array.from({ length: drawn(1, 9) }, () => drawn(1, 50)));
      const workers = drawn(1, 12);
      const sum = rounds.flat().reduce((all, time) => all + time, 0);
      const longest = rounds.reduce((all, segments) => all + Math.max(...segments), 0);
      const time = simulatedTime(rounds, workers);
      assert.equal(simulatedTime(rounds, 1), sum);
      assert.equal(simulatedTime(rounds, 9), longest);
      assert.ok(time >= sum / workers && time >= longest && time <= sum);
    }
  });
});
