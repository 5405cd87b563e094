import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { onlyInSoak } from "@coppice/engine/soak";
import { planGapBench } from "./plan-gap.ts";

describe("coppice bench plan-gap", () => {
  it("plan-gap puts plans beside an exact solver and a bound, which no plan is below", {
    ...onlyInSoak(),
    timeout: 300_000,
  }, async () => {
    const { figures, goals } = await planGapBench({ quick: true });
    const bound = figures["λ 0.05: delays by the minute, Lagrangian bound"].value;
    assert.ok(bound > 0 && bound < figures["λ 0.05: best plan, regulations not counted"].value);
    assert.ok(bound < figures["λ 0.05: 45-minute delays, best found"].value);
    assert.ok(figures["λ 0.05: best plan"].value < 749);
    assert.equal(goals.length, 6);
  });
});
