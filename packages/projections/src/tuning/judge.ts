import type { HorizonResults } from "@coppice/search";
import type { Metrics } from "../accuracy/accuracy.ts";
import { ColumnEvaluator } from "../columns/column-evaluator.ts";
import { openColumns } from "../columns/shared-columns.ts";
import { readConfiguration } from "../config/configuration.ts";
import { HORIZONS } from "../horizon.ts";
import { type HorizonResult, horizonResult, seasonErrors } from "./objective.ts";

/** The module workers load to judge football configurations. */
export const tuningEvaluator = new URL("./judge-entry.ts", import.meta.url);

/** What every worker needs to know. */
export interface TuningContext {
  readonly metrics: Metrics;
  /** Whether the error of each season is wanted. */
  readonly bySeason?: boolean;
  /** The columns come in the shared array `columns`: a judge reads no file, whoever tells it what to judge. */
  readonly data: "shared";
}

/** Judges configurations; owns scratch space, so one per worker. */
export interface Judge {
  readonly evaluator: ColumnEvaluator;
  readonly metrics: Metrics;
  readonly bySeason?: boolean;
}

/** Opens the data in a worker. */
export function openJudge(
  { metrics, bySeason = false }: TuningContext,
  { columns }: Readonly<Record<string, SharedArrayBuffer>>,
): Judge {
  return { metrics, bySeason, evaluator: new ColumnEvaluator(openColumns(columns)) };
}

/** One configuration on the horizons with these keys. NaN or an infinite number is an error, not a result. */
export function judgeConfiguration(
  { evaluator, metrics, bySeason = false }: Judge,
  parameters: unknown,
  horizons: readonly string[],
  onHorizon?: (done: number) => void,
): HorizonResults<HorizonResult> {
  const config = readConfiguration(parameters, "configuration");
  return Object.fromEntries(
    horizons.map((key, i) => {
      const horizon = HORIZONS.find((h) => h.key === key);
      if (horizon === undefined) throw new RangeError(`unknown horizon ${key}`);
      const accuracy = evaluator.evaluate(horizon, config, metrics);
      const result = { ...horizonResult(accuracy), ...(bySeason ? seasonErrors(accuracy) : {}) };
      if (!Number.isFinite(result.mae)) throw new RangeError(`the error on ${horizon.name} is ${result.mae}`);
      onHorizon?.(i + 1);
      return [key, result];
    }),
  );
}
