import { type PoolFactory, start, threads } from "@coppice/engine";
import {
  footballParameters,
  footballTournament,
  HORIZONS,
  type ObjectiveName,
  objectives,
  startingBaseline,
  type TuningContext,
  tuningEvaluator,
} from "@coppice/projections";
import { type Columns, shareColumns } from "@coppice/projections/columns";
import { drawnValues } from "@coppice/search";

export interface TournamentSize {
  readonly objective: ObjectiveName;
  readonly parameters: number;
  readonly testValues: number;
  /** At most; it ends when a pass changes nothing. */
  readonly passes: number;
  readonly workers: number;
}

/** Runs a tournament on threads and gives its wall time, from the first result to the end, and its digest. */
export async function tournamentTime(
  columns: Columns,
  { objective, parameters, testValues, passes, workers }: TournamentSize,
): Promise<{ readonly ms: number; readonly withStartMs: number; readonly digest: string }> {
  const shared = { columns: shareColumns(columns) };
  const pool: PoolFactory = threads({ workers });
  const search = footballTournament({
    horizons: HORIZONS,
    baseline: startingBaseline().horizons,
    parameters: footballParameters(undefined).slice(0, parameters),
    values: drawnValues(42, testValues),
    objective,
    maxPasses: passes,
  });
  const context: TuningContext = { metrics: objectives[objective].metrics, data: "shared" };
  const begin = performance.now();
  let ready = begin;
  let waiting = workers;
  const run = await start({ search, evaluator: tuningEvaluator, context, shared, pool });
  run.subscribe((event) => {
    if (event.type === "worker" && event.state === "ready" && --waiting === 0) ready = performance.now();
  });
  const { digest } = await run.finished;
  const end = performance.now();
  return { ms: end - ready, withStartMs: end - begin, digest };
}
