import { timed } from "@coppice/engine/evaluator";
import { resolveGrid } from "./adaptive-grid.ts";
import { evaluateVector, RateKernel } from "./rate-kernel.ts";
import type { RateModel, RateModelSource } from "./rate-model.ts";
import { type RateOptions, rateOptions } from "./rate-options.ts";
import { type KnownScore, RateSearch, type RateSearchResult, type RateVector } from "./rate-search.ts";
import type { RateTables } from "./rate-tables.ts";
import { Recent } from "./recent.ts";

/** The objective at some rates, taken apart. */
interface RateOutcome {
  readonly objective: number;
  readonly components: Readonly<Record<string, number>>;
  /** Every regulated flight's delay, 0 included. */
  readonly delayMinutes: ReadonlyMap<string, number>;
  /** Requests that the day does not release. */
  readonly spilled: number;
  readonly inWindowReleases: number;
}

/** Rates found for one regulation, and how. */
export interface RateFinding extends RateSearchResult {
  readonly flowIds: readonly string[];
  readonly entrantsByFlow: ReadonlyMap<string, number>;
  readonly grid: readonly number[];
  readonly baseline: RateOutcome;
  readonly final: RateOutcome;
}

/** A regulation whose search can begin. */
export interface PreparedRates {
  readonly search: RateSearch;
  readonly tables: RateTables;
  /** Scores a vector in this process. */
  readonly evaluate: (vector: RateVector) => number;
  /** Puts the search's result together with what it means for flights. */
  readonly finding: (result: RateSearchResult) => RateFinding;
}

interface Remembered {
  readonly model: RateModel;
  readonly kernel: RateKernel;
  /** The objective without any rate. */
  readonly baseline: number;
}

/** Models are large; scores, which are small, are remembered for longer. */
const MODELS_REMEMBERED = 32;

/**
 * Finds rates for regulations of one day. Remembers models, baselines and recent scores, so that a repeated call
 * evaluates nothing; the answers are the same without.
 */
export class RateFinder<Task> {
  readonly #source: RateModelSource<Task>;
  readonly #options: RateOptions;
  readonly #scores: Recent<KnownScore>;
  readonly #remembered = new Recent<Remembered>(MODELS_REMEMBERED);

  constructor(source: RateModelSource<Task>, options: Partial<RateOptions> = {}) {
    this.#source = source;
    this.#options = rateOptions(options);
    this.#scores = new Recent(this.#options.cacheSize);
  }

  /** Rates found here and now; undefined for a task without flows. */
  find(task: Task): RateFinding | undefined {
    return timed("mcts.rate_finder.find_rates", () => {
      const prepared = this.prepare(task);
      if (prepared === undefined) return undefined;
      const { search } = prepared;
      for (let ask = 0, next = search.ask(); next.kind === "candidate"; ask++, next = search.ask()) {
        search.tell({ ok: true, value: prepared.evaluate(next.candidate) }, ask);
      }
      return prepared.finding(search.result());
    });
  }

  /** The search for a task, to be run on a pool or in place; undefined for a task without flows. */
  prepare(task: Task): PreparedRates | undefined {
    if (this.#source.flowCount(task) === 0) return undefined;
    const key = this.#source.key(task);
    const { model, kernel, baseline } = timed("rate_finder.ensure_context_and_baseline", () => this.#ensure(key, task));
    const grid = timed("rate_finder.resolve_rate_grid", () => resolveGrid(this.#options, model.gridDemand));
    const { passes, adaptiveGrid, epsilon, maxEvaluations } = this.#options;
    const search = new RateSearch({
      flowIds: model.flowIds,
      entrants: model.entrants,
      grid,
      baseline,
      passes: adaptiveGrid ? 1 : passes,
      epsilon,
      maxEvaluations,
      scores: this.#scores,
      scoreKey: key,
    });
    return {
      search,
      tables: model.tables,
      evaluate: (vector) => evaluateVector(kernel, vector),
      finding: (result) => {
        const [baseline, final] = [result.rates.map(() => Number.POSITIVE_INFINITY), result.rates].map((rates) => {
          kernel.schedule(rates);
          return outcomeOf(model, kernel);
        });
        return { ...result, flowIds: model.flowIds, entrantsByFlow: model.entrantsByFlow, grid, baseline, final };
      },
    };
  }

  #ensure(key: string, task: Task): Remembered {
    const known = this.#remembered.find(key);
    if (known !== undefined) return known;
    const model = this.#source.model(task);
    const kernel = new RateKernel(model.tables);
    const baseline = timed("rate_finder.score_with_context.baseline", () => kernel.score());
    return this.#remembered.add(key, { model, kernel, baseline });
  }
}

/** What the kernel scheduled last, in terms of flights. */
function outcomeOf(model: RateModel, kernel: RateKernel): RateOutcome {
  const { binCount, flowCount, windowFrom, windowTo } = model.tables;
  const objective = kernel.score();
  const terms = kernel.terms();
  let inWindowReleases = 0;
  for (let flow = 0; flow < flowCount; flow++) {
    const profileStart = flow * (binCount + 1);
    for (let t = windowFrom; t < windowTo; t++) inWindowReleases += kernel.profile[profileStart + t];
  }
  return {
    objective,
    components: model.components(terms),
    delayMinutes: new Map(model.flightIds.map((id, flight) => [id, kernel.delay[flight]])),
    spilled: terms.spilled,
    inWindowReleases,
  };
}
