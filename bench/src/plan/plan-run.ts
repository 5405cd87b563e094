import {
  type CommitRules,
  defaultWeights,
  type Instance,
  type PlannerOptions,
  type PlanningResult,
  type PopulationShape,
  prepareCommits,
  preparePopulation,
  prepareRoots,
  type Weights,
} from "@coppice/airspace";
import { type JournalOptions, type PoolFactory, type RunDone, start } from "@coppice/engine";

/** One plan search of the real day, as the benchmarks of workers run it. */
export interface PlanRun extends Partial<Omit<PlannerOptions, "evaluations" | "seed">> {
  readonly instance: Instance;
  readonly evaluations: number;
  /** Independent searches; 1 if absent. */
  readonly roots?: number;
  /** Set where walkers search together instead. */
  readonly population?: PopulationShape;
  readonly seed: number;
  readonly weights?: Weights;
  /** Set where rates are found inside the search, leaf by leaf. */
  readonly commits?: CommitRules;
}

/** What a search took, beside what it found. */
export interface PlanRunTimes {
  /** Mean time of a task, and of all together. */
  readonly evaluationMs: number;
  readonly busyMs: number;
  /** From the first task's start to the last one's end. */
  readonly spanMs: number;
  /** What each task took, in the order they were asked. */
  readonly taskMs: readonly number[];
}

/** Starts it on a pool; `stopAfter` interrupts it after so many tells. */
export async function startPlanning(
  run: PlanRun,
  pool: PoolFactory,
  journal?: JournalOptions,
  stopAfter = Number.POSITIVE_INFINITY,
): Promise<RunDone<PlanningResult> & PlanRunTimes> {
  const { inputs, ...planning } = prepared(run);
  const started = await start<unknown, unknown, PlanningResult>({
    ...planning,
    // Cast: the engine hands the search nothing but what its own evaluator answers.
    search: planning.search as never,
    seed: run.seed,
    pool,
    ...(journal === undefined ? {} : { journal: { ...journal, inputs } }),
  });
  const taskMs: number[] = [];
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  started.subscribe((event) => {
    if (event.type === "told" && event.told >= stopAfter) started.interrupt();
    if (event.type === "started") first = Math.min(first, event.at);
    if (event.type !== "completed") return;
    taskMs[event.ask] = event.elapsedMs;
    last = event.at;
  });
  const done = await started.finished;
  const times = taskMs.filter((ms) => ms !== undefined);
  const busyMs = times.reduce((sum, ms) => sum + ms, 0);
  return { ...done, evaluationMs: busyMs / Math.max(1, times.length), busyMs, spanMs: last - first, taskMs };
}

function prepared({ instance, roots = 1, population, commits, weights = defaultWeights, ...given }: PlanRun) {
  const options: PlannerOptions = { policy: "default", without: [], ...given };
  if (population !== undefined) return preparePopulation(instance, weights, options, population);
  return commits === undefined
    ? prepareRoots(instance, weights, options, roots)
    : prepareCommits(instance, weights, options, commits, roots);
}
