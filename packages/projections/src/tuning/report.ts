import { type Curve, curvesOf, type TournamentResult } from "@coppice/search";
import type { HorizonAccuracy } from "../accuracy/accuracy.ts";
import type { ColumnEvaluator } from "../columns/evaluate.ts";
import { type HorizonParameters, readConfiguration } from "../config/configuration.ts";
import type { Horizon } from "../horizon.ts";
import { type ErrorProfile, errorProfile } from "./calibration.ts";
import type { HorizonResult } from "./horizon-result.ts";
import { lowAccuracy } from "./low-accuracy.ts";
import type { ObjectiveName } from "./objective.ts";

/** Before and after tuning, on the same seasons. */
export interface Comparison {
  readonly baseline: HorizonAccuracy;
  readonly tuned: HorizonAccuracy;
}

export interface HorizonReport extends Comparison, ErrorProfile {
  readonly baseline_mae_by_position: ErrorProfile["mae_by_position"];
  /** On the season that was left out of the tuning. */
  readonly holdout?: Comparison;
  /** Where the winner was found. */
  readonly winner: {
    readonly pass: number;
    readonly parameter: string;
    readonly value: unknown;
    readonly test_index: number;
    readonly base_horizon: string;
  } | null;
}

/** Everything a tuning run found out; plain JSON. */
export interface TuningReport {
  readonly objective: ObjectiveName;
  readonly seasons: readonly string[];
  readonly holdout: string | null;
  readonly configurations: number;
  readonly passes: number;
  readonly converged: boolean;
  readonly horizons: Readonly<Record<string, HorizonReport>>;
  /** Horizons whose winners foretell the order of players badly, and by which metric. */
  readonly low_accuracy: Readonly<Record<string, string>>;
  readonly curves: readonly Curve[];
}

export interface ReportInput {
  readonly objective: ObjectiveName;
  readonly horizons: readonly Horizon[];
  /** By horizon name. */
  readonly baseline: Readonly<Record<string, HorizonParameters>>;
  readonly result: TournamentResult<HorizonResult>;
  readonly evaluator: ColumnEvaluator;
  /** Evaluates on the season left out. */
  readonly holdout?: ColumnEvaluator;
}

/** Measures baseline and winners with all metrics and puts the curves beside them. */
export function tuningReport(input: ReportInput): TuningReport {
  const { objective, horizons, result, evaluator, holdout } = input;
  const reports = horizons.map((horizon) => [horizon.key, horizonReport(horizon, input)] as const);
  const low = reports.flatMap(([key, { tuned }]) => {
    const why = lowAccuracy(tuned.aggregate);
    return why === undefined ? [] : [[key, why] as const];
  });
  return {
    objective,
    seasons: evaluator.columns.header.seasons,
    holdout: holdout?.columns.header.seasons.join(", ") ?? null,
    configurations: result.rounds.reduce((sum, round) => sum + round.entries.length, 0),
    passes: result.passes,
    converged: result.converged,
    horizons: Object.fromEntries(reports),
    low_accuracy: Object.fromEntries(low),
    curves: result.rounds.flatMap(curvesOf),
  };
}

function horizonReport(horizon: Horizon, { baseline, result, evaluator, holdout }: ReportInput): HorizonReport {
  const before = readConfiguration(baseline[horizon.name], horizon.name);
  const after = readConfiguration(result.configurations[horizon.key], horizon.name);
  const compare = (on: ColumnEvaluator): Comparison => ({
    baseline: on.evaluate(horizon, before, "all"),
    tuned: on.evaluate(horizon, after, "all"),
  });
  const best = result.best[horizon.key];
  return {
    ...compare(evaluator),
    ...(holdout === undefined ? {} : { holdout: compare(holdout) }),
    baseline_mae_by_position: errorProfile(evaluator, horizon, before).mae_by_position,
    ...errorProfile(evaluator, horizon, after),
    winner:
      best === undefined
        ? null
        : {
            pass: best.pass,
            parameter: best.parameter,
            value: best.value ?? null,
            test_index: best.testIndex,
            base_horizon: best.horizon,
          },
  };
}
