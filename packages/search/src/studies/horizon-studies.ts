import type { Outcome, Proposal, Search, SearchProgress } from "@coppice/engine";
import { type Random, random } from "@coppice/engine/evaluator";
import { type SamplerName, samplerNamed } from "../samplers/method.ts";
import type { Sampler } from "../samplers/trial.ts";
import { type Point, placeOf, pointAt, pointOf, type SearchSpace } from "../space/search-space.ts";
import { fromUnit, toUnit } from "../space/unit-scale.ts";
import { configurationKey } from "../tournament/configuration-key.ts";
import type { TournamentNews } from "../tournament/news.ts";
import {
  type Configuration,
  freezeDeep,
  type Parameter,
  valueAt,
  withoutValue,
  withValue,
} from "../tournament/parameter.ts";
import type { Best, Bests, SampledEntry, TournamentResult } from "../tournament/rounds.ts";
import type { HorizonResults, Objective, TournamentCandidate } from "../tournament/tournament.ts";
import { study } from "./study.ts";

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

/** One horizon's search. */
interface Turn {
  readonly horizon: string;
  readonly next: () => Configuration | "wait" | "done";
  readonly tell: (outcome: Outcome<number | null>) => void;
}

interface Asked {
  /** Who asked for it: a horizon's search, or undefined for a baseline. */
  readonly turn?: Turn;
  readonly horizon: string;
  readonly configuration: Configuration;
}

/** How often a step to what was asked before is drawn again. */
const ATTEMPTS = 20;
/** One in so many of a horizon's steps, the last ones, puts back what was moved without need. */
const LAST_STEPS = 20;

/**
 * A search for each horizon around the baseline that suits it best, in turns. Every configuration is judged on every horizon,
 * and a horizon keeps the best it has seen, whoever asked for it: so it can stand in for a tournament, configuration for
 * configuration. Steps go from there, like a tournament's; other samplers know only what they asked for themselves. Of
 * equals a horizon keeps the one with more parameters as they were where it began, then the earlier one: what makes no
 * difference to what is judged may make one elsewhere.
 */
export class HorizonStudies<Result>
  implements Search<TournamentCandidate, HorizonResults<Result>, TournamentResult<Result>>
{
  readonly #options: HorizonStudiesOptions<Result>;
  readonly #space: SearchSpace;
  readonly #baselines: ReadonlyMap<string, Configuration>;
  /** None before all baselines are known. */
  #turns: readonly Turn[] = [];
  /** Where each horizon's search begins: what is there, … */
  readonly #homes = new Map<string, Configuration>();
  /** … and its place; what lies away from there is charged. */
  readonly #starts = new Map<string, Float64Array>();
  readonly #keys = new Set<string>();
  readonly #best = new Map<string, Best<Result>>();
  readonly #out: Asked[] = [];
  readonly #trials: SampledEntry[] = [];
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
      return this.#candidate({ horizon, configuration: this.#baselines.get(horizon) ?? {} });
    }
    if (this.#told < horizons.length) return { kind: "wait" };
    if (this.#turns.length === 0) this.#turns = horizons.map((horizon, h) => this.#turn(horizon, h));
    let waits = false;
    for (let i = 0; i < this.#turns.length; i++) {
      const turn = this.#turns[(this.#next + i) % this.#turns.length];
      const configuration = turn.next();
      if (configuration === "wait") waits = true;
      if (typeof configuration === "string") continue;
      this.#next = (this.#next + i + 1) % this.#turns.length;
      return this.#candidate({ turn, horizon: turn.horizon, configuration });
    }
    return { kind: waits || this.#out.length > 0 ? "wait" : "done" };
  }

  tell(outcome: Outcome<HorizonResults<Result>>): void {
    const asked = this.#out.shift();
    if (asked === undefined) throw new Error("told more than was asked");
    const { turn, horizon: asker, configuration } = asked;
    const index = this.#told++;
    const { objective, horizons } = this.#options;
    const judged = horizons.map((horizon) => {
      const result = outcome.ok ? outcome.value[horizon] : undefined;
      return [horizon, result === undefined ? null : objective.value(result)] as const;
    });
    this.#trials.push({ horizon: asker, configuration, objective: Object.fromEntries(judged) });
    if (!outcome.ok) {
      this.#news.push({
        kind: "failed",
        parameter: this.#options.method,
        entry: { horizon: asker, testIndex: index, value: undefined },
        message: outcome.failure.message,
      });
      turn?.tell(outcome);
      return;
    }
    for (const horizon of horizons) {
      const result = outcome.value[horizon];
      if (result !== undefined) this.#compare(horizon, result, asker, index, configuration);
    }
    if (turn === undefined) return;
    const own = outcome.value[turn.horizon];
    turn.tell({ ok: true, value: own === undefined ? null : this.#charged(turn.horizon, own, configuration) });
  }

  result(): TournamentResult<Result> {
    return {
      ...this.bestsAfter(),
      parameters: this.#options.parameters,
      baseline: this.#options.baseline,
      rounds: [],
      tried: this.#told,
      trials: this.#trials,
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
    const key = configurationKey(configuration);
    this.#keys.add(key);
    return { kind: "candidate", candidate, key };
  }

  /** A horizon's search from the best baseline it has seen; what is left of the trials is shared evenly. */
  #turn(horizon: string, h: number): Turn {
    const { horizons, method, trials, seed } = this.#options;
    const left = trials - horizons.length;
    const share = Math.floor(left / horizons.length) + (h < left % horizons.length ? 1 : 0);
    const own = seed + 10_000 * h;
    const home = this.#bestOf(horizon);
    this.#homes.set(horizon, home);
    this.#starts.set(horizon, placeOf(this.#space, this.#nearestPoint(home)));
    return method === "steps" ? this.#steps(horizon, share, own) : this.#samples(horizon, share, own);
  }

  #bestOf(horizon: string): Configuration {
    return this.#best.get(horizon)?.configuration ?? this.#baselines.get(horizon) ?? {};
  }

  /** Steps from the best that anybody has found for the horizon, the last of them back. */
  #steps(horizon: string, trials: number, seed: number): Turn {
    const sampler = samplerNamed("steps", { space: this.#space, seed });
    const draws = random(seed).at("steps");
    let asked = 0;
    let told = 0;
    return {
      horizon,
      next: () => {
        if (asked === trials) return told === trials ? "done" : "wait";
        if (asked - told >= this.#options.window) return "wait";
        const index = asked++;
        const isLast = index >= trials - Math.floor(trials / LAST_STEPS);
        return (isLast ? this.#stepBack(horizon) : undefined) ?? this.#step(horizon, sampler, draws.at(index));
      },
      tell: () => {
        told++;
      },
    };
  }

  #step(horizon: string, sampler: Sampler, draws: Random): Configuration {
    const best = this.#bestOf(horizon);
    const point = this.#nearestPoint(best);
    const from = { point, place: placeOf(this.#space, point), values: [0] };
    let configuration = best;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const place = sampler.next([from], draws.at(attempt)) ?? from.place;
      configuration = this.#changed(best, point, pointAt(this.#space, place));
      if (!this.#keys.has(configurationKey(configuration))) break;
    }
    return configuration;
  }

  /** The best with one parameter as it was where the horizon began; undefined when all of these were asked. */
  #stepBack(horizon: string): Configuration | undefined {
    const [best, home] = [this.#bestOf(horizon), this.#homes.get(horizon) ?? {}];
    for (const { path } of this.#moved(best, home)) {
      const value = valueAt(home, path);
      const back = value === undefined ? withoutValue(best, path) : withValue(best, path, value);
      if (!this.#keys.has(configurationKey(back))) return back;
    }
    return undefined;
  }

  #moved(configuration: Configuration, home: Configuration): readonly Parameter[] {
    return this.#options.parameters.filter(({ path }) => valueAt(configuration, path) !== valueAt(home, path));
  }

  /** Points around the baseline that a sampler chooses. */
  #samples(horizon: string, trials: number, seed: number): Turn {
    const { method, window, objective } = this.#options;
    const best = this.#best.get(horizon);
    const baseline = this.#bestOf(horizon);
    const point = this.#nearestPoint(baseline);
    const known = best === undefined ? null : objective.value(best.result);
    const start = placeOf(this.#space, point);
    const search = study({
      space: this.#space,
      goals: [{ name: "value", better: objective.wanted }],
      sampler: samplerNamed(method, { space: this.#space, seed, start, trials }),
      trials,
      window,
      seed,
      earlier: [{ point, values: known === null ? null : [known] }],
    });
    let told = 0;
    return {
      horizon,
      next: () => {
        const proposal = search.ask();
        if (proposal.kind !== "candidate") return proposal.kind === "done" ? "done" : "wait";
        const asked = pointOf(this.#space, proposal.candidate);
        if (typeof asked === "string") throw new Error(`a study left its space: ${asked}`);
        return this.#changed(baseline, point, asked);
      },
      tell: (outcome) => search.tell(outcome, told++),
    };
  }

  #compare(horizon: string, result: Result, asker: string, index: number, configuration: Configuration): void {
    const { objective, method } = this.#options;
    const best = this.#best.get(horizon);
    if (!objective.better(result, best?.result) && !this.#staysNearer(horizon, result, configuration, best)) return;
    // What is better only before the charge has not paid for its way.
    if (best !== undefined && !this.#pays(horizon, result, configuration, best)) return;
    const entry = { horizon: asker, testIndex: index, value: undefined };
    this.#best.set(horizon, { ...entry, configuration, pass: 0, parameter: method, result });
    const value = objective.value(result);
    this.#news.push({ kind: "best", pass: 0, parameter: method, forHorizon: horizon, entry, objective: value });
  }

  /** Whether a result that is no better and no worse has moved fewer parameters. */
  #staysNearer(horizon: string, result: Result, configuration: Configuration, best: Best<Result> | undefined): boolean {
    const { value } = this.#options.objective;
    const home = this.#homes.get(horizon);
    if (home === undefined || best === undefined || value(result) === null) return false;
    if (value(result) !== value(best.result)) return false;
    return this.#moved(configuration, home).length < this.#moved(best.configuration, home).length;
  }

  #pays(horizon: string, result: Result, configuration: Configuration, best: Best<Result>): boolean {
    if ((this.#options.regularize ?? 0) === 0) return true;
    const ours = this.#charged(horizon, result, configuration);
    const theirs = this.#charged(horizon, best.result, best.configuration);
    if (ours === null || theirs === null) return true;
    return this.#options.objective.wanted === "lower" ? ours < theirs : ours > theirs;
  }

  /** What a result is worth to a horizon, less what is charged for the way from the baseline. */
  #charged(horizon: string, result: Result, configuration: Configuration): number | null {
    const { objective, parameters, regularize = 0 } = this.#options;
    const value = objective.value(result);
    const start = this.#starts.get(horizon);
    if (value === null || start === undefined || regularize === 0) return value;
    const place = placeOf(this.#space, this.#nearestPoint(configuration));
    const distance = place.reduce((sum, at, d) => sum + (at - start[d]) ** 2, 0) / parameters.length;
    return value * (objective.wanted === "lower" ? 1 + regularize * distance : 1 - regularize * distance);
  }

  /** A configuration with the values in which one point differs from another. */
  #changed(configuration: Configuration, from: Point, to: Point): Configuration {
    let changed = configuration;
    for (const [d, { path }] of this.#options.parameters.entries()) {
      const value = to[d];
      if (value !== undefined && value !== from[d]) changed = withValue(changed, path, value);
    }
    return changed;
  }

  /** The point of the space that lies nearest to a configuration; the middle where it has nothing. */
  #nearestPoint(configuration: Configuration): Point {
    return this.#options.parameters.map(({ path, domain }) => {
      const value = valueAt(configuration, path);
      if (domain.kind === "choice") return domain.values.find((each) => each === value) ?? domain.values[0];
      if (typeof value !== "number") return fromUnit(domain, 0.5);
      return fromUnit(domain, toUnit(domain, Math.min(domain.max, Math.max(domain.min, value))));
    });
  }
}
