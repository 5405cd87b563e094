import { UsageError } from "@coppice/engine/usage-error";

/** How rates are searched. */
export interface RateOptions {
  /** Rates per hour in the order they are tried; Infinity is no rate. Default Infinity, 60, 48, 36, 24, 18, 12, 6. */
  readonly rateGrid: readonly number[];
  /** Sweeps over all flows; an adaptive grid is swept once. Default 2. */
  readonly passes: number;
  /** A sweep that gains no more than this part of the baseline is the last. Default 1e-3. */
  readonly epsilon: number;
  /** Evaluations after which no further flow is tried. Default 256. */
  readonly maxEvaluations: number;
  /** Scores remembered between calls. Default 256. */
  readonly cacheSize: number;
  /** Adds rates suggested by the demand. Default false. */
  readonly adaptiveGrid: boolean;
  /** Default 120. */
  readonly maxAdaptiveRate: number;
  /** Suggested rates, "no rate" included. Default 8. */
  readonly maxAdaptiveCandidates: number;
}

const defaultRateOptions: RateOptions = {
  rateGrid: [Number.POSITIVE_INFINITY, 60, 48, 36, 24, 18, 12, 6],
  passes: 2,
  epsilon: 1e-3,
  maxEvaluations: 256,
  cacheSize: 256,
  adaptiveGrid: false,
  maxAdaptiveRate: 120,
  maxAdaptiveCandidates: 8,
};

/** Options with defaults filled in; says which one is wrong. */
export function rateOptions(given: Partial<RateOptions>): RateOptions {
  const options = { ...defaultRateOptions, ...given };
  for (const rate of options.rateGrid) {
    if (!(rate > 0)) throw new UsageError(`rate grid: ${rate} is not a rate; rates are above 0 per hour, or inf`);
  }
  for (const name of ["passes", "maxEvaluations", "cacheSize", "maxAdaptiveRate", "maxAdaptiveCandidates"] as const) {
    const value = options[name];
    if (!Number.isInteger(value) || value < 1)
      throw new UsageError(`${name}: ${value}; it must be a whole number of at least 1`);
  }
  if (!(options.epsilon >= 0)) throw new UsageError(`epsilon: ${options.epsilon}; it must be 0 or more`);
  return options;
}
