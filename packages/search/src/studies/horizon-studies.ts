import type { Outcome, Proposal, Search, SearchProgress } from "@coppice/engine";
import { type SamplerName, samplerNamed } from "../samplers/method.ts";
import { type Point, placeOf, type SearchSpace } from "../space/search-space.ts";
import { fromUnit, toUnit } from "../space/unit-scale.ts";
import { configurationKey } from "../tournament/configuration-key.ts";
import type { TournamentNews } from "../tournament/news.ts";
import {
  type Configuration,
  freezeDeep,
  type Parameter,
  type ParameterValue,
  valueAt,
  withValue,
} from "../tournament/parameter.ts";
import type { Best, Bests, TournamentResult } from "../tournament/rounds.ts";
import type { HorizonResults, Objective, TournamentCandidate } from "../tournament/tournament.ts";
import { study } from "./study.ts";
import type { StudyResult } from "./study-result.ts";

/** What is tuned for several horizons by a sampler, and how long. All of it shapes the answer. */
export interface HorizonStudiesOptions<Result> {
  /** In the order they take turns. */
  readonly horizons: readonly string[];
  readonly parameters: readonly Parameter[];
  /** All are tried first; a horizon starts from the one that suits it best. */
  readonly baseline: Readonly<Record<string, Configuration>>;
  readonly objective: Objective<Result> & { readonly wanted: "lower" | "higher" };
  readonly method: SamplerName;
  /** Configurations in all, each judged on every horizon. */
  readonly trials: number;
  /** The most that each horizon may have out at once. */
  readonly window: number;
  readonly seed: number;
  /**
   * How much a configuration is charged for leaving the baseline: this part of its value when all parameters have moved
   * through their whole range. 0 charges nothing.
   */
  readonly regularize?: number;
}

/** One horizon's search around a baseline. */
interface Turn {
  readonly horizon: string;
  readonly baseline: Configuration;
  readonly start: Float64Array;
  readonly search: Search<Configuration, unknown, StudyResult>;
}

interface Asked {
  /** Who asked for it: a horizon's search, or undefined for a baseline. */
  readonly turn?: Turn;
  readonly horizon: string;
  readonly configuration: Configuration;
  /** What it is charged for lying away from the baseline, as a part of its value. */
  readonly charge: number;
}

/**
 * A study for each horizon around the baseline that suits it best, in turns. Every configuration is judged on every horizon, and a horizon
 * keeps the best it has seen, whoever asked for it: so it can stand in for a tournament, configuration for configuration.
 */
export class HorizonStudies<Result>
  implements Search<TournamentCandidate, HorizonResults<Result>, TournamentResult<Result>>
{
  readonly #options: HorizonStudiesOptions<Result>;
  readonly #space: SearchSpace;
  readonly #baselines: ReadonlyMap<string, Configuration>;
  /** None before all baselines are known. */
  #turns: readonly Turn[] = [];
  readonly #best = new Map<string, Best<Result>>();
  readonly #out: Asked[] = [];
  #news: TournamentNews[] = [];
  #next = 0;
  #asks = 0;
  #told = 0;

  constructor(options: HorizonStudiesOptions<Result>) {
    const { horizons, parameters, trials } = options;
    if (trials < horizons.length) throw new RangeError(`${trials} configurations are fewer than the horizons`);
    this.#options = { ...options, horizons: Object.freeze([...horizons]) };
    this.#space = { parameters, constraints: [] };
    this.#baselines = new Map(
      horizons.map((horizon) => [horizon, freezeDeep(structuredClone(options.baseline[horizon] ?? {}))]),
    );
  }

  ask(): Proposal<TournamentCandidate> {
    const { horizons } = this.#options;
    if (this.#asks < horizons.length) {
      const horizon = horizons[this.#asks];
      return this.#candidate({ horizon, configuration: this.#baselines.get(horizon) ?? {}, charge: 0 });
    }
    if (this.#told < horizons.length) return { kind: "wait" };
    if (this.#turns.length === 0) this.#turns = horizons.map((horizon, h) => this.#turn(horizon, h));
    let waits = false;
    for (let i = 0; i < this.#turns.length; i++) {
      const turn = this.#turns[(this.#next + i) % this.#turns.length];
      const proposal = turn.search.ask();
      if (proposal.kind === "wait") waits = true;
      if (proposal.kind !== "candidate") continue;
      this.#next = (this.#next + i + 1) % this.#turns.length;
      return this.#candidate(this.#asked(turn, proposal.candidate));
    }
    return { kind: waits || this.#out.length > 0 ? "wait" : "done" };
  }

  tell(outcome: Outcome<HorizonResults<Result>>): void {
    const asked = this.#out.shift();
    if (asked === undefined) throw new Error("told more than was asked");
    const { turn, horizon: asker, configuration, charge } = asked;
    const index = this.#told++;
    if (!outcome.ok) {
      this.#news.push({
        kind: "failed",
        parameter: this.#options.method,
        entry: { horizon: asker, testIndex: index, value: undefined },
        message: outcome.failure.message,
      });
      turn?.search.tell(outcome, index);
      return;
    }
    const { objective, horizons } = this.#options;
    for (const horizon of horizons) {
      const result = outcome.value[horizon];
      if (result !== undefined) this.#compare(horizon, result, asker, index, configuration);
    }
    if (turn === undefined) return;
    const own = outcome.value[turn.horizon];
    const value = own === undefined ? null : objective.value(own);
    const charged = objective.wanted === "lower" ? 1 + charge : 1 - charge;
    turn.search.tell({ ok: true, value: value === null ? null : value * charged }, index);
  }

  result(): TournamentResult<Result> {
    return {
      ...this.bestsAfter(),
      rounds: [],
      tried: this.#told,
      passes: 0,
      converged: this.#told === this.#options.trials,
    };
  }

  /** The best of every horizon so far. */
  bestsAfter(): Bests<Result> {
    const configurations = [...this.#baselines].map(
      ([horizon, baseline]) => [horizon, this.#best.get(horizon)?.configuration ?? baseline] as const,
    );
    return { best: Object.fromEntries(this.#best), configurations: Object.fromEntries(configurations) };
  }

  news(): readonly TournamentNews[] {
    const news = this.#news;
    this.#news = [];
    return news;
  }

  progress(): SearchProgress {
    const { trials, method, horizons } = this.#options;
    const first = this.#best.get(horizons[0]);
    const best = first === undefined ? null : this.#options.objective.value(first.result);
    return {
      levels: [{ name: "Configs", done: this.#told, total: trials }],
      says: [`${method}: ${trials} configurations, ${trials * horizons.length} evaluations`],
      ...(best === null ? {} : { best }),
    };
  }

  #candidate(asked: Asked): Proposal<TournamentCandidate> {
    this.#asks++;
    this.#out.push(asked);
    const { configuration } = asked;
    const candidate = { configuration, horizons: this.#options.horizons };
    return { kind: "candidate", candidate, key: configurationKey(configuration) };
  }

  /** A horizon's search from the best baseline it has seen; what is left of the trials is shared evenly. */
  #turn(horizon: string, h: number): Turn {
    const { horizons, method, window, trials, objective, seed } = this.#options;
    const best = this.#best.get(horizon);
    const baseline = best?.configuration ?? this.#baselines.get(horizon) ?? {};
    const point = nearestPoint(this.#space.parameters, baseline);
    const start = placeOf(this.#space, point);
    const known = best === undefined ? null : objective.value(best.result);
    const left = trials - horizons.length;
    const share = Math.floor(left / horizons.length) + (h < left % horizons.length ? 1 : 0);
    const own = seed + 10_000 * h;
    const search = study({
      space: this.#space,
      goals: [{ name: "value", better: objective.wanted }],
      sampler: samplerNamed(method, { space: this.#space, seed: own, start, trials: share }),
      trials: share,
      window,
      seed: own,
      earlier: [{ point, values: known === null ? null : [known] }],
    });
    return { horizon, baseline, start, search };
  }

  #compare(horizon: string, result: Result, asker: string, index: number, configuration: Configuration): void {
    const { objective, method } = this.#options;
    if (!objective.better(result, this.#best.get(horizon)?.result)) return;
    const entry = { horizon: asker, testIndex: index, value: undefined };
    this.#best.set(horizon, { ...entry, configuration, pass: 0, parameter: method, result });
    const value = objective.value(result);
    this.#news.push({ kind: "best", pass: 0, parameter: method, forHorizon: horizon, entry, objective: value });
  }

  /** A baseline with a point's values in it. */
  #asked(turn: Turn, point: Configuration): Asked {
    const { parameters, regularize = 0 } = this.#options;
    let configuration = turn.baseline;
    let distance = 0;
    for (const [d, { path, domain }] of parameters.entries()) {
      // Cast: it is a value of the space.
      const value = valueAt(point, path) as ParameterValue;
      const away = toUnit(domain, value) - turn.start[d];
      distance += (away * away) / parameters.length;
      if (Math.abs(away) > 1e-12) configuration = withValue(configuration, path, value);
    }
    return { turn, horizon: turn.horizon, configuration, charge: regularize * distance };
  }
}

/** The point of the space that lies nearest to a configuration; the middle where it has nothing. */
function nearestPoint(parameters: readonly Parameter[], configuration: Configuration): Point {
  return parameters.map(({ path, domain }) => {
    const value = valueAt(configuration, path);
    if (domain.kind === "choice") return domain.values.find((each) => each === value) ?? domain.values[0];
    if (typeof value !== "number") return fromUnit(domain, 0.5);
    return fromUnit(domain, toUnit(domain, Math.min(domain.max, Math.max(domain.min, value))));
  });
}
