import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { random } from "@coppice/engine/evaluator";
import fc from "fast-check";
import type { Plan, Regulation } from "../network/regulation.ts";
import { PlanMemory } from "./plan-memory.ts";

const anyLine: fc.Arbitrary<Regulation> = fc
  .record({
    volume: fc.integer({ min: 0, max: 3 }),
    fromBin: fc.integer({ min: 0, max: 80 }),
    bins: fc.integer({ min: 4, max: 16 }),
    flows: fc.integer({ min: 1, max: 63 }),
    ratePerHour: fc.integer({ min: 1, max: 60 }),
  })
  .map(({ bins, ...line }) => ({ ...line, toBin: line.fromBin + bins }));
const anyPlan: fc.Arbitrary<Plan> = fc.array(anyLine, { maxLength: 8 });
const ofVolume = (plan: Plan, volume: number) => plan.filter((line) => line.volume === volume);

describe("what a search remembers", () => {
  it("puts another line of the same volume and overlapping hours in a line's place", () => {
    fc.assert(
      fc.property(fc.array(anyLine), anyLine, fc.integer(), (lines, line, seed) => {
        const memory = new PlanMemory();
        memory.addLines([...lines, line]);
        const other = memory.otherLine(line, random(seed));
        if (other === undefined) return;
        assert.ok(lines.includes(other) && other !== line);
        assert.equal(other.volume, line.volume);
        assert.ok(other.fromBin < line.toBin && line.fromBin < other.toBin);
      }),
    );
  });

  it("gives one volume its lines of a remembered plan back and leaves the others as they are", () => {
    let restores = 0;
    fc.assert(
      fc.property(anyPlan, anyPlan, fc.integer(), (plan, before, seed) => {
        const memory = new PlanMemory();
        memory.addPlan(before);
        const restored = memory.restored(plan, random(seed));
        if (restored === undefined) return;
        restores++;
        const differing = [0, 1, 2, 3].filter(
          (volume) => JSON.stringify(ofVolume(plan, volume)) !== JSON.stringify(ofVolume(restored, volume)),
        );
        // None differs where only the order of volumes does.
        assert.ok(differing.length <= 1, `${differing}`);
        for (const volume of differing) {
          assert.deepEqual(new Set(ofVolume(restored, volume)), new Set(ofVolume(before, volume)));
        }
        const rest = (lines: Plan) => lines.filter(({ volume }) => !differing.includes(volume));
        if (differing.length === 1) assert.deepEqual(rest(restored), rest(plan));
      }),
    );
    assert.ok(restores > 20, `${restores}`);
  });

  it("knows nothing at first, and forgets the oldest lines", () => {
    const memory = new PlanMemory();
    const line = { volume: 0, fromBin: 0, toBin: 8, flows: 1, ratePerHour: 1 };
    assert.equal(memory.otherLine(line, random(1)), undefined);
    assert.equal(memory.restored([line], random(1)), undefined);
    memory.addLines(Array.from({ length: 3000 }, (_, rate) => ({ ...line, ratePerHour: rate + 1 })));
    assert.equal(memory.lineCount, 2000);
    for (let draw = 0; draw < 100; draw++) assert.ok(memory.line(random(draw)).ratePerHour > 1000);
  });
});
