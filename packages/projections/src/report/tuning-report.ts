import { type Curve, curvesOf, type TournamentResult } from "@coppice/search";
import type { Accuracy, HorizonAccuracy } from "../accuracy/accuracy.ts";
import type { ColumnEvaluator } from "../columns/column-evaluator.ts";
import { type HorizonParameters, readConfiguration } from "../config/configuration.ts";
import type { Horizon } from "../horizon.ts";
import type { HorizonResult, ObjectiveName } from "../tuning/objective.ts";
import { foundBy } from "../tuning/winners.ts";
import { type ErrorProfile, errorProfile } from "./calibration.ts";

/** Before and after tuning, on the same seasons. */
export interface Comparison {
  readonly baseline: HorizonAccuracy;
  readonly tuned: HorizonAccuracy;
}

/** What a tuning found for one horizon. */
export interface HorizonReport extends Comparison, ErrorProfile {
  readonly baseline_mae_by_position: ErrorProfile["mae_by_position"];
  /** On the season that was left out of the tuning. */
  readonly holdout?: Comparison;
  readonly winner: ReturnType<typeof foundBy> | null;
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
  /** Horizons whose winners predict the order of players badly, and by which metric. */
  readonly low_accuracy: Readonly<Record<string, string>>;
  readonly curves: readonly Curve[];
  /** What was gained on seasons left out in turn, by charge for leaving the baseline, and the charge that was taken. */
  readonly cross_validation?: NonNullable<TournamentResult<unknown>["leftOut"]>;
}

/** How much a tournament tried, and whether it came to an end of itself. */
export function extentOf({ rounds, tried, passes, converged }: TournamentResult<unknown>) {
  const configurations = tried ?? rounds.reduce((sum, round) => sum + round.entries.length, 0);
  return { configurations, passes, converged };
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
    ...extentOf(result),
    horizons: Object.fromEntries(reports),
    low_accuracy: Object.fromEntries(low),
    curves: result.rounds.flatMap(curvesOf),
    ...(result.leftOut === undefined ? {} : { cross_validation: result.leftOut }),
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
    winner: best === undefined ? null : foundBy(best),
  };
}

/** Below these a horizon's projections hardly help to choose between players. */
const LEAST = { pairwise_accuracy: 0.65, top_10_accuracy: 0.7 } as const;
const NAMES = { pairwise_accuracy: "pairwise accuracy", top_10_accuracy: "top-10 accuracy" } as const;

/** What is low about a horizon's accuracy, in words; undefined when nothing is. */
export function lowAccuracy({ overall }: Accuracy): string | undefined {
  const low = (Object.keys(LEAST) as (keyof typeof LEAST)[]).flatMap((metric) => {
    const value = overall?.[metric] ?? null;
    return value !== null && value < LEAST[metric] ? [`${NAMES[metric]} ${value.toFixed(4)} < ${LEAST[metric]}`] : [];
  });
  return low.length === 0 ? undefined : low.join(", ");
}
