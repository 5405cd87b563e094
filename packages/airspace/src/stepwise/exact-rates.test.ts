import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { threads } from "@coppice/engine";
import { soak } from "@coppice/engine/soak";
import { dice } from "../../test/dice.ts";
import { randomInstance } from "../../test/random-instance.ts";
import { encodeInstance } from "../instance/artifact.ts";
import type { Instance } from "../instance/instance.ts";
import { flowSet, type Measure } from "../network/regulation.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import { defaultWeights } from "../network/weights.ts";
import { RateWorkers } from "../network-rates/rate-workers.ts";
import { ExactRates, mostEvaluations } from "./exact-rates.ts";

const weights = { ...defaultWeights, regulation: 0.1, delayMinute: 0.001 };

function randomMeasures(instance: Instance, seed: number): Measure[] {
  const roll = dice(seed);
  return Array.from({ length: 1 + roll(3) }, () => {
    const busy = instance.flowNames.flatMap((names, volume) => (names.length === 0 ? [] : [volume]));
    const volume = busy[roll(busy.length)];
    const fromBin = roll(Math.max(1, instance.binCount - 4));
    const all = flowSet(instance.flowNames[volume].keys());
    return {
      volume,
      fromBin,
      toBin: Math.min(instance.binCount, fromBin + 4 + roll(20)),
      flows: all & (1 + roll(63)) || all,
    };
  });
}

describe("exact rates", () => {
  it("F-44: a commit costs what its plan costs, is the same each time, and changes nothing", async () => {
    let helped = 0;
    for (let seed = 0; seed < soak(30, 60); seed++) {
      const instance = randomInstance(seed);
      if (instance.flowNames.every((names) => names.length === 0)) continue;
      const measures = randomMeasures(instance, seed);
      const rates = new ExactRates(instance, weights);
      const first = await rates.commit([], measures);
      const { objective } = scoreFromScratch(instance, first.lines, weights).score;
      assert.ok(Math.abs(first.objective - objective) < 1e-9, `seed ${seed}: ${first.objective}, ${objective}`);
      assert.ok(objective <= scoreFromScratch(instance, [], weights).score.objective + 1e-9);
      if (first.lines.length > 0) helped++;
      await rates.commit([], measures.slice(1));
      assert.deepEqual(await rates.commit([], measures), first);
      assert.deepEqual(await new ExactRates(instance, weights).commit([], measures), first, "whatever came before");
      const flows = Math.max(...measures.map(({ volume }) => instance.flowNames[volume].length));
      assert.ok(first.evaluations <= measures.length * mostEvaluations(flows), `${first.evaluations}`);
    }
    assert.ok(helped > 5, `${helped}`);
  });

  it("F-03, F-25: found on workers of their own they are the same", { timeout: 300_000 }, async () => {
    const instance = randomInstance(5);
    const bytes = encodeInstance(instance);
    const shared = new SharedArrayBuffer(bytes.length);
    new Uint8Array(shared).set(bytes);
    const workers = new RateWorkers(threads({ workers: 2, maxInFlight: 3 }), weights, { instance: shared });
    const there = new ExactRates(instance, weights, (task, vectors) => workers.score(task, vectors));
    const here = new ExactRates(instance, weights);
    for (let seed = 0; seed < 4; seed++) {
      const measures = randomMeasures(instance, seed);
      assert.deepEqual(await there.commit([], measures), await here.commit([], measures));
    }
    await workers.close();
  });
});
