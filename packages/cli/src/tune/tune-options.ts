import type { ObjectiveName } from "@coppice/projections";

/** What shapes a tuning run's answer. Paths are absolute: this is what `run.json` keeps. */
export type TuneOptions = FootballOptions | CustomOptions;

interface SharedOptions {
  readonly output: string;
  readonly testValues: number;
  /** Names of the parameters to tune, in order; undefined for all. */
  readonly params?: readonly string[];
  /** Only the first so many parameters. */
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
  /** A season that is not tuned on, to check the gain with. */
  readonly holdout?: string;
  /** Weeks with few projections are not judged. */
  readonly excludeLowCoverageWeeks?: boolean;
}

/** Tuning anything else that has named horizons. */
export interface CustomOptions extends SharedOptions {
  readonly kind: "custom";
  readonly evaluator: string;
  readonly space: string;
}
