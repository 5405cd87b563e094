import { timed } from "@coppice/engine/evaluator";
import type { Instance } from "../instance/instance.ts";
import { flowSet, flowsOf, type Measure, type Plan, planKey } from "../network/regulation.ts";
import type { Weights } from "../network/weights.ts";
import { type NetworkTask, networkModels } from "../network-rates/network-model.ts";
import { RateFinder } from "../rate-search/rate-finder.ts";
import type { RateModelSource } from "../rate-search/rate-model.ts";
import type { RateSearch, RateVector } from "../rate-search/rate-search.ts";
import { Recent } from "../rate-search/recent.ts";
import type { Commit } from "./commit-task.ts";

/** A plan after one more regulation. */
interface Rated {
  readonly plan: Plan;
  readonly objective: number;
  readonly evaluations: number;
}

/** Scores rate vectors of one task elsewhere, in their order. */
export type VectorScorer = (task: NetworkTask, vectors: readonly RateVector[]) => Promise<readonly number[]>;

/** Rates suggested by demand and capacity, besides the usual grid. */
const SEARCH = { adaptiveGrid: true };
const GRID_LENGTH = 15;
const REMEMBERED = 512;

/** The most objectives that one regulation with this many flows takes: both modes, with their baselines and confirmations. */
export function mostEvaluations(flowCount: number): number {
  const perFlow = flowCount * (GRID_LENGTH + 3) + GRID_LENGTH;
  const blanket = 2 * GRID_LENGTH + 3;
  return perFlow + blanket + 6;
}

/** Finds the rates of regulations, each on the traffic that those before it leave, per flow and for all flows together. */
export class ExactRates {
  readonly #models: RateModelSource<NetworkTask>;
  readonly #score: VectorScorer | undefined;
  readonly #rated = new Recent<Rated>(REMEMBERED);

  /** With a `score` of its own, rate vectors are scored there, one flow's grid at a time. */
  constructor(instance: Instance, weights: Weights, score?: VectorScorer) {
    this.#models = networkModels(instance, weights);
    this.#score = score;
  }

  /** Commits regulations after a plan. The same task always has the same commit and counts the same evaluations. */
  async commit(before: Plan, measures: readonly Measure[]): Promise<Commit> {
    let rated: Rated = { plan: before, objective: Number.NaN, evaluations: 0 };
    for (const measure of measures) {
      const next = await this.#after(rated.plan, measure);
      rated = { ...next, evaluations: rated.evaluations + next.evaluations };
    }
    const { plan, objective, evaluations } = rated;
    return { lines: plan.slice(before.length), objective, evaluations };
  }

  async #after(before: Plan, measure: Measure): Promise<Rated> {
    const { volume, fromBin, toBin, flows } = measure;
    const key = `${planKey(before)}|${volume} ${fromBin} ${toBin} ${flows}`;
    const known = this.#rated.find(key);
    if (known !== undefined) return known;
    const find = (mode: NetworkTask["mode"]) =>
      timed("mcts.rate_finder.find_rates", () => this.#find(before, measure, mode));
    const perFlow = await find("per_flow");
    const blanket = flowsOf(flows).length > 1 ? await find("blanket") : undefined;
    const best = blanket !== undefined && blanket.objective < perFlow.objective ? blanket : perFlow;
    const evaluations = perFlow.evaluations + (blanket?.evaluations ?? 0);
    return this.#rated.add(key, { ...best, evaluations });
  }

  async #find(before: Plan, measure: Measure, mode: NetworkTask["mode"]): Promise<Rated> {
    const { volume, fromBin, toBin } = measure;
    const flows = flowsOf(measure.flows);
    const task: NetworkTask = { volume, window: [fromBin, toBin], flows, mode, plan: before };
    // A finder of its own: what it counts and where it stops must not depend on what this worker did before. It sees
    // one task only and need not tell it from others by the text of a whole plan.
    const prepared = new RateFinder({ ...this.#models, key: () => "" }, SEARCH).prepare(task);
    if (prepared === undefined) throw new Error("a regulation without flows cannot be committed");
    const { search } = prepared;
    const scored = await this.#run(search, task, prepared.evaluate);
    const { rates, objective } = search.result();
    const sets = mode === "blanket" ? [measure.flows] : flows.map((flow) => flowSet([flow]));
    const lines = sets.flatMap((set, f) =>
      rates[f] < Number.POSITIVE_INFINITY ? [{ volume, fromBin, toBin, flows: set, ratePerHour: rates[f] }] : [],
    );
    // The baseline is an objective too.
    return { plan: [...before, ...lines], objective, evaluations: scored + 1 };
  }

  /** Runs a rate search to its end; returns how many vectors were scored. */
  async #run(search: RateSearch, task: NetworkTask, here: (vector: RateVector) => number): Promise<number> {
    let asked = 0;
    for (;;) {
      const batch: RateVector[] = [];
      let next = search.ask();
      for (; next.kind === "candidate"; next = search.ask()) batch.push(next.candidate);
      if (batch.length === 0) return asked;
      const values = this.#score === undefined ? batch.map(here) : await this.#score(task, batch);
      for (const value of values) search.tell({ ok: true, value }, asked++);
    }
  }
}
