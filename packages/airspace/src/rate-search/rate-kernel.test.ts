import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { soak } from "@coppice/engine/soak";
import { dice } from "../../test/dice.ts";
import { goldenFiles, goldenText, weightsOf } from "../../test/golden.ts";
import { randomInstance } from "../../test/random-instance.ts";
import { importGolden } from "../import/published-artifacts.ts";
import { type Instance, volumeOfId } from "../instance/instance.ts";
import { publishedTables } from "../published/rates/published-tables.ts";
import { type ControlTask, controlledFlows, flowsOfIds } from "../published/scoring/controlled-flows.ts";
import { scoreProfiles } from "../published/scoring/published-score.ts";
import { releaseProfile } from "../published/scoring/release-profile.ts";
import { type ScoreContext, scoreContext } from "../published/scoring/score-context.ts";
import { RateKernel } from "./rate-kernel.ts";

const rates = [Number.POSITIVE_INFINITY, 60, 24, 18, 12, 7, 6, 4, 3, 2, 1, 0];

describe("rate kernel, reference tables", () => {
  for (const file of goldenFiles) {
    it(`${file.name}: agrees with the published scores`, () => {
      const instance = importGolden({ source: file.name, text: goldenText(file.name) });
      for (const example of file.score_cases) {
        const volume = volumeOfId(instance, example.control_volume_id);
        const task = {
          volume,
          window: example.window_bins,
          flows: flowsOfIds(instance, example.flows),
          mode: example.mode,
        };
        const context = contextOf(instance, task, weightsOf(example.weights_override));
        const vector = context.flows.map((flow) => {
          const rate = example.rates?.[flow.id] ?? "inf";
          return rate === "inf" ? Number.POSITIVE_INFINITY : rate;
        });
        const kernel = new RateKernel(publishedTables(context, task.window).tables);
        assert.equal(kernel.evaluate(vector), example.J_total);
      }
    });
  }

  it("agrees with the slow twin to the last bit on any sequence of rate vectors, whatever came before", () => {
    for (let seed = 0; seed < soak(50, 150); seed++) {
      const instance = randomInstance(seed);
      const roll = dice(seed + 1000);
      const from = roll(instance.binCount);
      const window = [from, Math.min(instance.binCount, from + 1 + roll(20))] as const;
      const flights = instance.flightIds.map((_, flight) => flight);
      // Some flights are in several flows, some in none.
      const flows = Array.from({ length: 1 + roll(4) }, (_, f) => ({
        id: `${f}`,
        flights: flights.filter(() => roll(3) === 0),
      }));
      const task: ControlTask = {
        volume: roll(instance.volumeIds.length),
        window,
        flows,
        mode: roll(4) === 0 ? "blanket" : "per_flow",
      };
      const weights = [
        {},
        { thetaShare: 0.05, etaSpill: 0.1 },
        { betaTarget: 0.3, gammaRipple: 0.7, classToleranceBins: 2 },
      ][roll(3)];
      const volumes = roll(2) === 0 ? [task.volume] : instance.volumeIds.map((_, volume) => volume);
      const ripples = Array.from({ length: roll(9) }, () => ({
        volume: roll(instance.volumeIds.length),
        bin: roll(instance.binCount),
      }));
      const context = contextOf(instance, task, weights, volumes, ripples);
      const kernel = new RateKernel(publishedTables(context, window).tables);
      const vector = context.flows.map(() => Number.POSITIVE_INFINITY);
      for (let step = 0; step < 25; step++) {
        for (let edits = roll(3); edits >= 0; edits--) vector[roll(vector.length)] = rates[roll(rates.length)];
        const profiles = context.flows.map((flow, f) => releaseProfile(flow.demand, vector[f], window, instance));
        const twin = scoreProfiles(context, profiles);
        assert.equal(kernel.evaluate(vector), twin.objective, `seed ${seed}, step ${step}, rates ${vector}`);
        assert.deepEqual(
          [...kernel.profile],
          profiles.flatMap((profile) => [...profile]),
        );
      }
    }
  });
});

function contextOf(
  instance: Instance,
  task: ControlTask,
  weights: Parameters<typeof scoreContext>[1]["weights"],
  volumes: readonly number[] = [task.volume],
  ripples: readonly { volume: number; bin: number }[] = [],
): ScoreContext {
  const [from, to] = task.window;
  const targets = Array.from({ length: to - from }, (_, i) => ({ volume: task.volume, bin: from + i }));
  return scoreContext(instance, {
    flows: controlledFlows(instance, task),
    volumes,
    attention: { targets, ripples },
    weights: weights ?? {},
  });
}
