import type { CommandOptions } from "@coppice/engine/command";
import { UsageError } from "@coppice/engine/usage-error";
import type {
  Bests,
  CrossValidation,
  HorizonStudies,
  SamplerName,
  Tournament,
  TournamentNews,
  TournamentResult,
} from "@coppice/search";
import type { ObjectiveName } from "./objective.ts";

/** What shapes a tuning run's answer. Paths are absolute: this is what `run.json` keeps. */
export type TuneOptions = FootballOptions | CustomOptions;

/** What every tuning is told. */
export interface SharedOptions {
  readonly output: string;
  readonly testValues: number;
  /** Names of the parameters to tune, in order; undefined for all. */
  readonly params?: readonly string[];
  /** Only this many, the first ones. */
  readonly numParams?: number;
  readonly seed: number;
  readonly maxPasses: number;
  /** Only these horizons. */
  readonly horizons?: readonly string[];
  /** File of given values instead of drawn ones. */
  readonly candidates?: string;
}

/** Tuning the football model. */
export interface FootballOptions extends SharedOptions {
  readonly kind: "football";
  readonly data: string;
  readonly baseline: string;
  readonly objective: ObjectiveName;
  /** Only these seasons; all without. */
  readonly seasons?: readonly string[];
  /** A season that is not tuned on, to check the gain with. */
  readonly holdout?: string;
  /** A file with other ranges of parameters, or more of them. */
  readonly ranges?: string;
  /** Searches by a sampler instead of a tournament. */
  readonly sampled?: SampledTuning;
  /** Weeks with few projections are not judged. */
  readonly excludeLowCoverageWeeks?: boolean;
}

/** How parameters are searched by a sampler. */
export interface SampledTuning {
  readonly method: SamplerName;
  /** Configurations in all. */
  readonly trials: number;
  /** The most that each horizon has out at once. */
  readonly window: number;
  /** What a configuration is charged for leaving the baseline, as a part of its value. */
  readonly regularize?: number;
  /** Chooses that charge by what is gained on seasons left out in turn. */
  readonly crossValidate?: boolean;
}

/** Tuning anything else that has named horizons. */
export interface CustomOptions extends SharedOptions {
  readonly kind: "custom";
  /** What judges: a module, or a program. */
  readonly evaluator: string | CommandOptions;
  readonly space: string;
}

/** The end of a parameter's round. */
export type RoundEnd = Extract<TournamentNews, { kind: "round" }>;

/** A tuning ready to run: the search, what judges it, and what becomes of the result. */
export interface Tuning<Result, Report> {
  readonly tournament: Tournament<Result> | HorizonStudies<Result> | CrossValidation<Result>;
  readonly evaluator: URL | string;
  readonly evaluatorFiles?: readonly string[];
  readonly evaluatorFolders?: readonly string[];
  readonly context: unknown;
  readonly shared?: Readonly<Record<string, SharedArrayBuffer>>;
  /** Digest of everything that was read; a run is not resumed on different inputs. */
  readonly inputs: string;
  /** Lines to say before it starts. */
  readonly notices: readonly string[];
  /** Horizons as people know them, by key. */
  readonly titles: Readonly<Record<string, string>>;
  /** What the objective is called. */
  readonly objective: string;
  /** Keeps what is known after a parameter. */
  readonly keep: (round: RoundEnd, bests: Bests<Result>) => void;
  /** What was found; plain JSON. */
  readonly report: (result: TournamentResult<Result>) => Report;
  /** Writes winners and report. */
  readonly write: (result: TournamentResult<Result>, report: Report) => void;
  /** The report for people. */
  readonly text: (report: Report) => string;
}

/** The parameters to tune: those named, in the order named, or all; of these the first `count`. */
export function chosenParameters<P extends { readonly name: string }>(
  all: readonly P[],
  { params, numParams }: Pick<TuneOptions, "params" | "numParams">,
): readonly P[] {
  const chosen =
    params?.map((name) => {
      const found = all.find((parameter) => parameter.name === name);
      if (found === undefined) throw new UsageError(`unknown parameter ${name}: ${all.map((p) => p.name).join(", ")}`);
      return found;
    }) ?? all;
  const repeated = params?.find((name, i) => params.indexOf(name) !== i);
  if (repeated !== undefined) throw new UsageError(`--params names ${repeated} twice`);
  if (chosen.length === 0) throw new UsageError("no parameters to tune: name at least one");
  if (numParams !== undefined && numParams > chosen.length) {
    throw new UsageError(`--num-params ${numParams} is more than the ${chosen.length} parameters there are`);
  }
  return chosen.slice(0, numParams);
}
