import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { soak } from "@coppice/engine/soak";
import { dice } from "../../test/dice.ts";
import { randomInstance } from "../../test/random-instance.ts";
import type { Instance } from "../instance/instance.ts";
import { flowSet, type Plan } from "../network/regulation.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import { defaultWeights } from "../network/weights.ts";
import { RateFinder } from "../rate-search/rate-finder.ts";
import { RateKernel } from "../rate-search/rate-kernel.ts";
import { NetworkDay } from "./network-day.ts";
import { type NetworkTask, networkModels } from "./network-model.ts";
import { networkTables } from "./network-tables.ts";

const rates = [Number.POSITIVE_INFINITY, 60, 24, 7, 6, 4, 3, 2, 1];

describe("rate kernel, network tables", () => {
  it("agrees with the score of the whole plan from nothing, after any plan and any vectors before", () => {
    for (let seed = 0; seed < soak(40, 120); seed++) {
      const instance = randomInstance(seed);
      const roll = dice(seed + 5000);
      const weights = [
        defaultWeights,
        { ...defaultWeights, delayMinute: 0.07, regulation: 0, exceedance: 0.3 },
        { ...defaultWeights, regularity: 0.2, smoothness: 0.15 },
        { ...defaultWeights, share: 2.5 },
        { ...defaultWeights, regularity: 0.1, smoothness: 0.3, share: 0.7 },
      ][roll(5)];
      const { volume, fromBin, toBin } = randomRegulation(instance, roll);
      const plan = Array.from({ length: roll(4) }, () => ({
        ...randomRegulation(instance, roll),
        // Half of the lines are at the same volume, where they share its bins with what is searched.
        ...(roll(2) === 0 ? { volume } : {}),
      }));
      const flowSets = instance.flowNames[volume].map((_, flow) => flowSet([flow]));
      if (flowSets.length === 0) continue;
      const kernel = new RateKernel(
        networkTables(new NetworkDay(instance, weights), { volume, fromBin, toBin, flowSets, plan }).tables,
      );
      const vector = flowSets.map(() => Number.POSITIVE_INFINITY);
      assert.ok(
        Math.abs(kernel.score() - scoreFromScratch(instance, plan, weights).score.objective) < 1e-9,
        "baseline",
      );
      for (let step = 0; step < 15; step++) {
        vector[roll(vector.length)] = rates[roll(rates.length)];
        const lines = flowSets.flatMap((flows, f) =>
          vector[f] < Number.POSITIVE_INFINITY ? [{ volume, fromBin, toBin, flows, ratePerHour: vector[f] }] : [],
        );
        const { score } = scoreFromScratch(instance, [...plan, ...lines], weights);
        const objective = kernel.evaluate(vector);
        assert.ok(
          Math.abs(objective - score.objective) < 1e-9,
          `seed ${seed}, step ${step}: ${objective}, from nothing ${score.objective}`,
        );
        const terms = kernel.terms();
        assert.deepEqual(
          [terms.exceedance, terms.delayMinutes, terms.entries],
          [score.exceedance, score.delayMinutes, score.regulations],
        );
        assert.ok(Math.abs(terms.shareShift - score.share) < 1e-9);
      }
    }
  });
});

describe("rate finder, network semantics", () => {
  it("finds rates whose plan costs exactly what it says", () => {
    let improved = 0;
    for (let seed = 0; seed < soak(20, 40); seed++) {
      const instance = randomInstance(seed);
      const volume = busiestVolume(instance);
      const task: NetworkTask = {
        volume,
        window: [0, instance.binCount],
        flows: instance.flowNames[volume].map((_, flow) => flow),
        mode: seed % 2 === 0 ? "per_flow" : "blanket",
      };
      const weights = { ...defaultWeights, regulation: 0.1, delayMinute: 0.001 };
      const finding = new RateFinder(networkModels(instance, weights), { adaptiveGrid: true }).find(task);
      assert.ok(finding !== undefined);
      const sets = task.mode === "blanket" ? [flowSet(task.flows)] : task.flows.map((flow) => flowSet([flow]));
      const plan: Plan = sets.flatMap((flows, f) =>
        finding.rates[f] < Number.POSITIVE_INFINITY
          ? [{ volume, fromBin: 0, toBin: instance.binCount, flows, ratePerHour: finding.rates[f] }]
          : [],
      );
      const { score } = scoreFromScratch(instance, plan, weights);
      assert.ok(Math.abs(finding.objective - score.objective) < 1e-9);
      assert.ok(finding.deltaJ <= 0);
      const total = [...finding.final.delayMinutes.values()].reduce((sum, minutes) => sum + minutes, 0);
      assert.equal(total, score.delayMinutes);
      if (finding.deltaJ < 0) improved++;
    }
    assert.ok(improved >= 5, `only ${improved} of 40 days got better`);
  });

  it("remembers nothing that other flows, plans or windows of the same volume could meet", () => {
    const instance = randomInstance(2);
    const volume = busiestVolume(instance);
    const flows = instance.flowNames[volume].map((_, flow) => flow);
    const models = networkModels(instance);
    const finder = new RateFinder(models, { adaptiveGrid: true });
    const window = [0, instance.binCount] as const;
    const tasks: NetworkTask[] = [
      { volume, window, flows, mode: "per_flow" },
      { volume, window, flows: flows.slice(1), mode: "per_flow" },
      { volume, window: [0, instance.binCount / 2], flows, mode: "blanket" },
      { volume, window, flows, mode: "blanket", plan: [{ volume, fromBin: 0, toBin: 24, flows: 1, ratePerHour: 1 }] },
    ];
    for (const task of tasks) {
      assert.deepEqual(finder.find(task), new RateFinder(networkModels(instance), { adaptiveGrid: true }).find(task));
    }
  });

  it("refuses tasks that do not fit the day", () => {
    const instance = randomInstance(2);
    const task: NetworkTask = { volume: busiestVolume(instance), window: [0, 4], flows: [0], mode: "per_flow" };
    const wrong = (part: Partial<NetworkTask>, message: RegExp) =>
      assert.throws(() => new RateFinder(networkModels(instance)).find({ ...task, ...part }), message);
    wrong({ volume: 99 }, /volume 99, bins 0-4: there are \d+ volumes/);
    wrong({ window: [3, 3] }, /bins 3-3: a window must not be empty/);
    wrong({ window: [0, instance.binCount + 1] }, /must lie in bins 0 to/);
    wrong({ flows: [77] }, /no flow 77; the volume has flows 0 to/);
    wrong({ flows: [0, 0] }, /a flow is listed twice/);
  });

  it("prices shares that flows take from each other and from the plan's lines at the volume", () => {
    const instance = randomInstance(2);
    const volume = busiestVolume(instance);
    const flows = instance.flowNames[volume].map((_, flow) => flow);
    const plan: Plan = [{ volume, fromBin: 0, toBin: instance.binCount, flows: 1, ratePerHour: 1 }];
    const weights = { ...defaultWeights, regulation: 0, delayMinute: 0, share: 0.01 };
    const task: NetworkTask = { volume, window: [0, instance.binCount], flows: flows.slice(1), mode: "per_flow", plan };
    const finding = new RateFinder(networkModels(instance, weights), { adaptiveGrid: true }).find(task);
    assert.ok(finding !== undefined);
    const lines = task.flows.flatMap((flow, f) =>
      finding.rates[f] < Number.POSITIVE_INFINITY
        ? [{ ...plan[0], flows: flowSet([flow]), ratePerHour: finding.rates[f] }]
        : [],
    );
    const { score } = scoreFromScratch(instance, [...plan, ...lines], weights);
    assert.ok(score.share > 0 && lines.length > 0);
    assert.ok(Math.abs(finding.objective - score.objective) < 1e-9);
    assert.ok(Math.abs(finding.final.components.share - 0.01 * score.share) < 1e-9);
  });
});

function randomRegulation(instance: Instance, roll: (sides: number) => number) {
  const volume = roll(instance.volumeIds.length);
  const fromBin = roll(instance.binCount);
  const toBin = Math.min(instance.binCount, fromBin + 1 + roll(30));
  return { volume, fromBin, toBin, flows: 1 + roll(63), ratePerHour: 1 + roll(12) };
}

function busiestVolume(instance: Instance): number {
  const visits = new Array<number>(instance.volumeIds.length).fill(0);
  for (const volume of instance.visitVolume) visits[volume]++;
  return visits.indexOf(Math.max(...visits));
}
