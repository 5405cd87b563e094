import { defaultWeights, type Instance, preparePlanning, type RootResult } from "@coppice/airspace";
import { type JournalOptions, type PoolFactory, type RunDone, start } from "@coppice/engine";

/** One plan search of the real day, as the benchmarks of workers run it. */
export interface PlanRun {
  readonly instance: Instance;
  readonly evaluations: number;
  readonly roots: number;
  readonly seed: number;
}

/** Starts it on a pool; `stopAfter` interrupts it after so many roots. */
export async function startPlanning(
  { instance, evaluations, roots, seed }: PlanRun,
  pool: PoolFactory,
  journal?: JournalOptions,
  stopAfter = Number.POSITIVE_INFINITY,
): Promise<RunDone<RootResult>> {
  const options = { policy: "default", seed, evaluations, without: [] } as const;
  const { inputs, ...planning } = preparePlanning(instance, defaultWeights, options, roots);
  const run = await start({
    ...planning,
    seed,
    pool,
    ...(journal === undefined ? {} : { journal: { ...journal, inputs } }),
  });
  run.subscribe((event) => {
    if (event.type === "told" && event.told >= stopAfter) run.interrupt();
  });
  return run.finished;
}
