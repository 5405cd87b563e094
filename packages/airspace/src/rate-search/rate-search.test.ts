import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { soak } from "@coppice/engine/soak";
import { dice } from "../../test/dice.ts";
import { type KnownScore, RateSearch, type RateSearchTask, type RateVector, rateLabel } from "./rate-search.ts";
import { Recent } from "./recent.ts";

type Roll = ReturnType<typeof dice>;
type Objective = (vector: readonly number[]) => number;

describe("rate search", () => {
  it("F-04, F-07: finds and counts what one candidate after the other would, whatever comes back first", () => {
    for (let seed = 0; seed < soak(100, 400); seed++) {
      const roll = dice(seed);
      const { objective, ...task } = randomTask(roll, seed);
      const scores = new Recent<KnownScore>(task.cacheSize);
      const twin = new Map<string, number>();
      for (const call of ["first", "second"]) {
        const search = new RateSearch({ ...task, scores, scoreKey: "" });
        answerInAnyOrder(search, objective, roll);
        assert.deepEqual(search.result(), oneByOne(task, objective, twin), `seed ${seed}, ${call} call`);
      }
    }
  });

  it("proposes a flow's whole grid before it waits", () => {
    const { objective: _, ...task } = randomTask(dice(3), 3);
    const search = new RateSearch({ ...task, scores: new Recent<KnownScore>(256), scoreKey: "" });
    let proposed = 0;
    while (search.ask().kind === "candidate") proposed++;
    assert.equal(proposed, new Set(task.grid).size);
    assert.equal(search.ask().kind, "wait");
  });

  it("ends with the reason when a vector cannot be scored, and scores it anew the next time", () => {
    const { objective, ...task } = randomTask(dice(5), 5);
    const scores = new Recent<KnownScore>(256);
    const broken = new RateSearch({ ...task, scores, scoreKey: "" });
    assert.equal(broken.ask().kind, "candidate");
    broken.tell({ ok: false, failure: { type: "WorkerLost", message: "three workers died" } }, 0);
    assert.equal(broken.ask().kind, "done");
    assert.throws(() => broken.result(), /could not be scored: WorkerLost: three workers died/);
    const again = new RateSearch({ ...task, scores, scoreKey: "" });
    answerInAnyOrder(again, objective, dice(1));
    assert.deepEqual(again.result(), oneByOne(task, objective, new Map()));
  });
});

type Task = Omit<RateSearchTask, "scores" | "scoreKey"> & { readonly cacheSize: number };

function randomTask(roll: Roll, seed: number): Task & { readonly objective: Objective } {
  const flowIds = ["north", "10", "2", "south"].slice(0, 1 + roll(4));
  const rates = [60, 24, 12, 6, 4, 2, 12];
  const grid = [Number.POSITIVE_INFINITY, ...rates.slice(0, 1 + roll(7))];
  const kinds = 2 + roll(60);
  // Few different values make ties; the vector without rates is the baseline.
  const objective: Objective = (vector) => {
    const text = vector.map(rateLabel).join();
    let mixed = seed + 7;
    for (let i = 0; i < text.length; i++) mixed = Math.imul(mixed ^ text.charCodeAt(i), 0x5bd1e995) >>> 0;
    return vector.every((rate) => rate === Number.POSITIVE_INFINITY) ? kinds / 2 : mixed % kinds;
  };
  return {
    flowIds,
    entrants: flowIds.map(() => roll(3)),
    grid,
    baseline: kinds / 2,
    passes: 1 + roll(4),
    epsilon: [0, 1e-3, 0.05][roll(3)],
    maxEvaluations: [256, 5, 12][roll(3)],
    cacheSize: [256, 1, 7][roll(3)],
    objective,
  };
}

/** Tells outcomes in asking order, as the driver does, but scores each batch backwards. */
function answerInAnyOrder(search: RateSearch, objective: Objective, roll: Roll): void {
  const open: { ask: number; candidate: RateVector }[] = [];
  for (let asked = 0; ; ) {
    const next = search.ask();
    if (next.kind === "candidate") open.push({ ask: asked++, candidate: next.candidate });
    if (next.kind === "done") return;
    if (next.kind === "candidate" && roll(3) > 0) continue;
    const values = new Map<number, number>();
    for (const { ask, candidate } of open.toReversed()) {
      values.set(ask, objective(candidate.map((rate) => rate ?? Number.POSITIVE_INFINITY)));
    }
    for (const { ask } of open.splice(0)) search.tell({ ok: true, value: values.get(ask) ?? Number.NaN }, ask);
  }
}

/** The search as it reads in words: plain loops, one vector at a time, a map as the memory of recent scores. */
function oneByOne(task: Task, objective: Objective, memory: Map<string, number>) {
  const { flowIds, grid, baseline } = task;
  const none = Number.POSITIVE_INFINITY;
  const history = new Map(flowIds.map((id) => [id, new Map<string, number>()]));
  const flows = flowIds.map((_, flow) => flow);
  flows.sort((a, b) => task.entrants[b] - task.entrants[a] || (flowIds[a] < flowIds[b] ? -1 : 1));
  const limit = Math.min(task.maxEvaluations, flowIds.length * (grid.length + 3));
  let [evaluations, cacheHits, stoppedEarly, bestDelta] = [0, 0, false, 0];
  let best = flowIds.map(() => none);
  const passImprovements: number[] = [];

  const score = (vector: readonly number[], counted: boolean): number => {
    const key = flowIds
      .map((id, flow) => `${id}=${vector[flow]}`)
      .sort()
      .join();
    let value = memory.get(key);
    if (value !== undefined) {
      cacheHits++;
      memory.delete(key);
    } else {
      value = objective(vector);
      if (counted && ++evaluations >= limit) stoppedEarly = true;
    }
    memory.set(key, value);
    if (memory.size > task.cacheSize) memory.delete([...memory.keys()][0]);
    return value;
  };

  for (let pass = 0; pass < task.passes; pass++) {
    const before = bestDelta;
    for (const flow of flows) {
      const start = best;
      for (const rate of grid) {
        const vector = start.with(flow, rate);
        const delta = score(vector, true) - baseline;
        history.get(flowIds[flow])?.set(rateLabel(rate), delta);
        if (delta < bestDelta) [bestDelta, best] = [delta, vector];
      }
      if (stoppedEarly) break;
    }
    passImprovements.push(before - bestDelta);
    if (stoppedEarly || before - bestDelta <= task.epsilon * Math.max(1, Math.abs(baseline))) break;
  }
  const tolerance = Math.max(1e-6, Math.abs(bestDelta) * 1e-6);
  const rates = best.map((rate, flow) => {
    if (rate !== none) return rate;
    const tried = [...(history.get(flowIds[flow]) ?? [])].filter(([label]) => label !== "inf");
    const least = Math.min(...tried.map(([, delta]) => delta));
    const free = tried.filter(([, delta]) => delta <= least + tolerance && delta <= bestDelta + tolerance);
    return Math.min(none, ...free.map(([label]) => Number(label)));
  });
  const final = score(rates, false);
  const deltaJ = final - baseline;
  const passesRan = passImprovements.length;
  return {
    rates,
    objective: final,
    deltaJ,
    passesRan,
    passImprovements,
    evaluations,
    cacheHits,
    stoppedEarly,
    history,
  };
}
