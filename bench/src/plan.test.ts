import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { onlyInSoak } from "@coppice/engine/soak";
import { planBench } from "./plan.ts";
import { planParityBench } from "./plan-parity.ts";

describe("coppice bench plan", () => {
  it("compares every method and says which goals were met", { ...onlyInSoak(), timeout: 300_000 }, async () => {
    const { name, figures, goals } = await planBench({ quick: true });
    assert.equal(name, "plan");
    assert.equal(figures["λ 0.02, 400 evaluations: empty, mean"].value, 2082);
    const ours = figures["λ 0.02, 400 evaluations: ours, mean"].value;
    assert.ok(ours < figures["λ 0.02, 400 evaluations: random, mean"].value);
    const whole = figures["λ 0.02, 400 evaluations: ours, every score to its end, mean of 1"].value;
    assert.equal(whole, ours, "stopping changes no plan");
    assert.ok(figures["λ 0.02, 400 evaluations: ours, evaluations in the same time"].value > 0);
    const changed = goals.find(({ name }) => name.endsWith("plans that stopping changes"));
    assert.deepEqual([changed?.value, changed?.ok], [0, true]);
    const onClear = goals.find((goal) => goal.name.includes("clear day"));
    assert.deepEqual([onClear?.value, onClear?.ok], [0, true]);
  });

  it("plan-parity finds one digest on every pool and after an interruption", {
    ...onlyInSoak(),
    timeout: 300_000,
  }, async () => {
    const { ok, goals } = await planParityBench({ quick: true });
    assert.ok(ok, JSON.stringify(goals));
  });
});
