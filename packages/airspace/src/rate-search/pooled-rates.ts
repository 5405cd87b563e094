import { type EvaluationCache, type PoolFactory, start } from "@coppice/engine";
import type { TimerTotals } from "@coppice/engine/timers";
import { addTimerTotals } from "@coppice/engine/timers";
import type { RateFinder, RateFinding } from "./rate-finder.ts";
import { shareTables } from "./rate-tables.ts";

export interface PooledFinding {
  /** Undefined for a task without flows. */
  readonly finding: RateFinding | undefined;
  /** What the workers' timers collected; empty unless asked for. */
  readonly timers: TimerTotals;
}

export interface PooledOptions {
  /** Collect the workers' timers. */
  readonly timers?: boolean;
  /** Scores of earlier runs, shared between processes. Never changes what is found or counted. */
  readonly cache?: EvaluationCache;
}

const evaluator = new URL("./rate-evaluator.ts", import.meta.url);

/**
 * Finds rates with the candidates of one flow's grid scored side by side on a pool. Rates, history and counts are those
 * of {@link RateFinder.find}, whatever the pool. Tables go to each worker once; a task carries rates and nothing else.
 */
export async function findRatesOnPool<Task>(
  finder: RateFinder<Task>,
  task: Task,
  pool: PoolFactory,
  options: PooledOptions = {},
): Promise<PooledFinding> {
  const prepared = finder.prepare(task);
  if (prepared === undefined) return { finding: undefined, timers: {} };
  const { header, shared } = shareTables(prepared.tables);
  const run = await start({
    search: prepared.search,
    evaluator,
    context: header,
    shared,
    pool,
    timers: options.timers ?? false,
    ...(options.cache === undefined ? {} : { cache: options.cache }),
  });
  let timers: TimerTotals = {};
  run.subscribe((event) => {
    if (event.type === "timers") timers = addTimerTotals(timers, event.totals);
  });
  const { result } = await run.finished;
  return { finding: prepared.finding(result), timers };
}
