import {
  type CommitRules,
  defaultWeights,
  type Instance,
  type PlannerOptions,
  prepareCommits,
  prepareRoots,
  type RootResult,
} from "@coppice/airspace";
import { type JournalOptions, type PoolFactory, type RunDone, start } from "@coppice/engine";

/** One plan search of the real day, as the benchmarks of workers run it. */
export interface PlanRun extends Partial<Omit<PlannerOptions, "evaluations" | "seed">> {
  readonly instance: Instance;
  readonly evaluations: number;
  readonly roots: number;
  readonly seed: number;
  /** Set where rates are found inside the search, leaf by leaf. */
  readonly commits?: CommitRules;
}

/**
 * Starts it on a pool; `stopAfter` interrupts it after so many tells. Also says how long an evaluation took, and how
 * long workers were busy with them in total.
 */
export async function startPlanning(
  { instance, roots, commits, ...given }: PlanRun,
  pool: PoolFactory,
  journal?: JournalOptions,
  stopAfter = Number.POSITIVE_INFINITY,
): Promise<RunDone<RootResult> & { readonly evaluationMs: number; readonly busyMs: number }> {
  const options: PlannerOptions = { policy: "default", without: [], ...given };
  const { inputs, ...planning } =
    commits === undefined
      ? prepareRoots(instance, defaultWeights, options, roots)
      : prepareCommits(instance, defaultWeights, options, commits, roots);
  const run = await start<unknown, unknown, RootResult>({
    ...planning,
    // Cast: the engine hands the search nothing but what its own evaluator answers.
    search: planning.search as never,
    seed: given.seed,
    pool,
    ...(journal === undefined ? {} : { journal: { ...journal, inputs } }),
  });
  let busyMs = 0;
  let ended = 0;
  run.subscribe((event) => {
    if (event.type === "told" && event.told >= stopAfter) run.interrupt();
    if (event.type !== "completed") return;
    busyMs += event.elapsedMs;
    ended++;
  });
  const done = await run.finished;
  return { ...done, evaluationMs: busyMs / Math.max(1, ended), busyMs };
}
