import type { Outcome, Proposal, Search, SearchProgress } from "@coppice/engine";
import type { CandidateValues, OwnValue } from "./candidate-values.ts";
import { configurationKey, keysAlong } from "./configuration-key.ts";
import type { TournamentNews } from "./news.ts";
import { type Configuration, freezeDeep, type Parameter, valueAt, withValue } from "./parameter.ts";
import type { Best, Bests, Entry, Round, TournamentResult } from "./rounds.ts";

/** What an evaluator is given: one configuration, to be judged on every horizon. */
export interface TournamentCandidate {
  readonly configuration: Configuration;
  readonly horizons: readonly string[];
}

/** What an evaluator returns: a result per horizon. */
export type HorizonResults<Result> = Readonly<Record<string, Result>>;

/** How results are compared. */
export interface Objective<Result> {
  /** Whether `result` should replace `best` (undefined: nothing yet). Ties keep the earlier one, so this is strict. */
  readonly better: (result: Result, best: Result | undefined) => boolean;
  /** The number people see; null when the result has none. */
  readonly value: (result: Result) => number | null;
}

/** What a tournament tunes, where it starts and when it stops. */
export interface TournamentOptions<Result> {
  /** In the order configurations are built and results recorded. */
  readonly horizons: readonly string[];
  /** In the order they are tuned. */
  readonly parameters: readonly Parameter[];
  /** Where each horizon starts. */
  readonly baseline: Readonly<Record<string, Configuration>>;
  readonly values: CandidateValues;
  readonly objective: Objective<Result>;
  /** Passes over all parameters; it stops earlier when a pass changes nothing. */
  readonly maxPasses: number;
  /** What is wrong with what an evaluator returned, as half a line; undefined if nothing is. */
  readonly refuses?: (value: unknown, horizons: readonly string[]) => string | undefined;
}

/** What is tried on one horizon's baseline. */
interface Series {
  readonly horizon: string;
  readonly baseline: Configuration;
  readonly own: OwnValue;
  readonly values: readonly OwnValue[];
}

interface Asked extends Entry {
  readonly configuration: Configuration;
  readonly key: string;
}

/**
 * Coordinate ascent with a tournament across horizons: parameter by parameter, every candidate value on every horizon's
 * baseline is judged on all horizons; each keeps the best it has seen, whichever baseline it came from. After a
 * parameter the baselines become the bests. A horizon that takes nothing new in a whole pass is frozen; what is derived
 * from its baseline still competes for the others.
 */
export class Tournament<Result>
  implements Search<TournamentCandidate, HorizonResults<Result>, TournamentResult<Result>>
{
  readonly #options: TournamentOptions<Result>;
  readonly #baseline: Map<string, Configuration>;
  readonly #best = new Map<string, Best<Result>>();
  readonly #frozen = new Set<string>();
  readonly #rounds: Round[] = [];
  /** The bests after each round. */
  readonly #bestsByRound: Bests<Result>[] = [];
  #news: TournamentNews[] = [];
  #pass = 0;
  #index = 0;
  #upcoming: Iterator<Asked, undefined>;
  #asked: Asked[] = [];
  /** Configurations of the current parameter. */
  #total = 0;
  #judged: Round["entries"][number][] = [];
  /** By horizon, the place of the entry it took over. */
  #adoptedInRound = new Map<string, number>();
  #adoptedInPass = new Set<string>();
  #done: "converged" | "bounded" | undefined;
  /** Only where something may be refused: every value is decoded once more for it. */
  readonly refuses?: (value: unknown) => string | undefined;

  constructor(options: TournamentOptions<Result>) {
    if (options.horizons.length === 0) throw new RangeError("a tournament needs at least one horizon");
    if (options.parameters.length === 0) throw new RangeError("a tournament needs at least one parameter");
    if (!(options.maxPasses >= 1)) throw new RangeError(`maxPasses is at least 1, not ${options.maxPasses}`);
    this.#options = { ...options, horizons: Object.freeze([...options.horizons]) };
    this.#baseline = new Map(
      options.horizons.map((horizon) => {
        const start = options.baseline[horizon];
        if (start === undefined) throw new RangeError(`horizon ${horizon} has no baseline`);
        return [horizon, freezeDeep(structuredClone(start))];
      }),
    );
    const { refuses, horizons } = this.#options;
    if (refuses !== undefined) this.refuses = (value) => refuses(value, horizons);
    this.#upcoming = this.#beginRound();
  }

  ask(): Proposal<TournamentCandidate> {
    if (this.#done !== undefined) return { kind: "done" };
    const next = this.#upcoming.next();
    // The next parameter starts from what this one finds.
    if (next.done) return { kind: "wait" };
    this.#asked.push(next.value);
    const { configuration, key } = next.value;
    return { kind: "candidate", candidate: { configuration, horizons: this.#options.horizons }, key };
  }

  tell(outcome: Outcome<HorizonResults<Result>>): void {
    const entry = this.#asked[this.#judged.length];
    if (entry === undefined) throw new Error("told more than was asked");
    this.#judged.push({ ...label(entry), objective: this.#record(entry, outcome) });
    if (this.#judged.length === this.#total) this.#finishRound();
  }

  /** Before the end, with the round that goes on as far as it is judged. */
  result(): TournamentResult<Result> {
    const isOpen = this.#done === undefined && this.#judged.length > 0;
    return {
      ...this.#bests(),
      parameters: this.#options.parameters,
      baseline: this.#options.baseline,
      rounds: isOpen ? [...this.#rounds, this.#round()] : this.#rounds,
      passes: this.#pass + (this.#done === undefined ? 1 : 0),
      converged: this.#done === "converged",
    };
  }

  /** The bests when a round was over. */
  bestsAfter(round: number): Bests<Result> {
    const bests = this.#bestsByRound[round];
    if (bests === undefined) throw new RangeError(`round ${round} is not over`);
    return bests;
  }

  news(): readonly TournamentNews[] {
    const news = this.#news;
    this.#news = [];
    return news;
  }

  progress(): SearchProgress {
    const first = this.#best.values().next().value;
    const best = first === undefined ? null : this.#options.objective.value(first.result);
    const { parameters } = this.#options;
    const pass = this.#done === undefined ? this.#pass + 1 : this.#pass;
    const levels = [
      { name: "Parameters", done: this.#pass * parameters.length + this.#index, total: pass * parameters.length },
      { name: "Configs", done: this.#done === undefined ? this.#judged.length : this.#total, total: this.#total },
    ];
    return { levels, says: [this.#standing()], ...(best === null ? {} : { best }) };
  }

  /** Which parameter is being tuned, and what that takes. */
  #standing(): string {
    const { parameters, horizons } = this.#options;
    if (this.#done !== undefined) {
      return parameters.length === 1 ? "the parameter is tuned" : `all ${parameters.length} parameters are tuned`;
    }
    const place = `parameter ${this.#index + 1} of ${parameters.length}: ${this.#parameter().name}`;
    const pass = this.#pass === 0 ? "" : `, pass ${this.#pass + 1}`;
    return `${place}${pass}, ${this.#total * horizons.length} evaluations`;
  }

  #bests(): Bests<Result> {
    const configurations = this.#options.horizons.map((horizon) => {
      return [horizon, this.#best.get(horizon)?.configuration ?? this.#baseline.get(horizon) ?? {}] as const;
    });
    return { best: Object.fromEntries(this.#best), configurations: Object.fromEntries(configurations) };
  }

  /** Compares an outcome with every horizon's best and returns the objective per horizon. */
  #record(entry: Asked, outcome: Outcome<HorizonResults<Result>>): Readonly<Record<string, number | null>> {
    const { horizons, objective } = this.#options;
    const parameter = this.#parameter().name;
    if (!outcome.ok) {
      this.#news.push({ kind: "failed", parameter, entry: label(entry), message: outcome.failure.message });
      return Object.fromEntries(horizons.map((horizon) => [horizon, null]));
    }
    return Object.fromEntries(
      horizons.map((horizon) => {
        const result = outcome.value[horizon];
        if (result === undefined || this.#frozen.has(horizon)) return [horizon, null];
        const value = objective.value(result);
        if (objective.better(result, this.#best.get(horizon)?.result)) {
          const [own, pass] = [label(entry), this.#pass];
          this.#best.set(horizon, { ...own, configuration: entry.configuration, pass, parameter, result });
          this.#adoptedInRound.set(horizon, this.#judged.length);
          this.#news.push({ kind: "best", pass, parameter, forHorizon: horizon, entry: own, objective: value });
        }
        return [horizon, value];
      }),
    );
  }

  #finishRound(): void {
    const changed: string[] = [];
    for (const horizon of this.#adoptedInRound.keys()) {
      const [best, before] = [this.#best.get(horizon), this.#baseline.get(horizon)];
      if (best !== undefined && before !== undefined) {
        if (configurationKey(best.configuration) !== configurationKey(before)) changed.push(horizon);
        this.#baseline.set(horizon, freezeDeep(best.configuration));
      }
      this.#adoptedInPass.add(horizon);
    }
    const place = { pass: this.#pass, index: this.#index, parameter: this.#parameter().name };
    const [round, configurations] = [this.#rounds.length, this.#judged.length];
    const better = this.#options.horizons.filter((horizon) => changed.includes(horizon));
    const says = `${place.parameter}: ${better.length === 0 ? "nothing better" : `better for ${better.join(", ")}`}`;
    this.#news.push({ kind: "round", round, ...place, configurations, adopted: better, says });
    this.#rounds.push(this.#round());
    this.#bestsByRound.push(this.#bests());
    this.#adoptedInRound = new Map();
    this.#index++;
    if (this.#index === this.#options.parameters.length) this.#finishPass();
    if (this.#done === undefined) this.#upcoming = this.#beginRound();
  }

  /** The current parameter's round, as far as it is judged. */
  #round(): Round {
    const adopted = this.#options.horizons.flatMap((horizon) => {
      const entry = this.#adoptedInRound.get(horizon);
      return entry === undefined ? [] : [[horizon, entry] as const];
    });
    const place = { pass: this.#pass, index: this.#index, parameter: this.#parameter().name };
    return { ...place, entries: this.#judged, adopted: Object.fromEntries(adopted) };
  }

  #finishPass(): void {
    for (const horizon of this.#options.horizons) if (!this.#adoptedInPass.has(horizon)) this.#frozen.add(horizon);
    const frozen = this.#options.horizons.filter((horizon) => this.#frozen.has(horizon));
    const says = `pass ${this.#pass + 1} done; settled: ${frozen.join(", ") || "none"}`;
    this.#news.push({ kind: "pass", pass: this.#pass, frozen, says });
    this.#adoptedInPass = new Set();
    this.#index = 0;
    this.#pass++;
    if (this.#frozen.size === this.#options.horizons.length) this.#done = "converged";
    else if (this.#pass === this.#options.maxPasses) this.#done = "bounded";
  }

  /** Draws the values of the current parameter; returns what is to be asked. */
  #beginRound(): Iterator<Asked, undefined> {
    const { horizons, values } = this.#options;
    const parameter = this.#parameter();
    const series = horizons.map((horizon) => {
      const baseline = this.#baseline.get(horizon) ?? {};
      const own = valueAt(baseline, parameter.path) as OwnValue;
      return { horizon, baseline, own, values: values.of(parameter, horizon, this.#pass, own) };
    });
    this.#total = series.reduce((sum, { values }) => sum + values.length, 0);
    this.#asked = [];
    this.#judged = [];
    return entries(parameter.path, series);
  }

  #parameter(): Parameter {
    return this.#options.parameters[this.#index];
  }
}

/** Horizon by horizon, value by value; each is built when it is asked for, so that the first is out at once. */
function* entries(path: readonly string[], series: readonly Series[]): Generator<Asked, undefined> {
  for (const { horizon, baseline, own, values } of series) {
    const keyWith = keysAlong(baseline, path);
    for (const [testIndex, value] of values.entries()) {
      const same = Object.is(value, own);
      const configuration = same ? baseline : withValue(baseline, path, value);
      yield { horizon, testIndex, value, configuration, key: same ? configurationKey(baseline) : keyWith(value) };
    }
  }
  return undefined;
}

function label({ horizon, testIndex, value }: Entry): Entry {
  return { horizon, testIndex, value };
}
