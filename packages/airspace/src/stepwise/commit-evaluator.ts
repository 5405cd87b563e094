import { defineEvaluator, type Resources } from "@coppice/engine/evaluator";
import { decodeInstance } from "../instance/artifact.ts";
import type { Weights } from "../network/weights.ts";
import type { RateWorkers } from "../network-rates/rate-workers.ts";
import type { CommitTask, CommitValue } from "./commit-task.ts";
import { ExactRates } from "./exact-rates.ts";

interface CommitWorker {
  readonly rates: ExactRates;
  readonly crew: RateWorkers | undefined;
  /** When the worker began, for limits in time. */
  readonly since: number;
}

/** Evaluates commits in a worker: finds their rates and says what the plan then costs. */
export default defineEvaluator({
  setup: async (
    weights: Weights,
    shared: Readonly<Record<string, SharedArrayBuffer>>,
    { rateWorkers = 0 }: Resources,
  ): Promise<CommitWorker> => {
    const instance = decodeInstance(new Uint8Array(shared.instance).slice(), "shared instance");
    const crew = rateWorkers === 0 ? undefined : await openRateWorkers(rateWorkers, weights, shared);
    const score = crew === undefined ? undefined : crew.score.bind(crew);
    return { rates: new ExactRates(instance, weights, score), crew, since: performance.now() };
  },
  evaluate: async ({ rates, since }: CommitWorker, task: CommitTask): Promise<CommitValue> => {
    const { before, measures, unlessAfterMs } = task;
    if (unlessAfterMs === undefined) return rates.commit(before, measures);
    if (performance.now() - since >= unlessAfterMs) return { skipped: true };
    return { ...(await rates.commit(before, measures)), begunInTime: true };
  },
  teardown: async ({ crew }) => crew?.close(),
});

/** Most runs have none: the pools are loaded only where they are needed. */
async function openRateWorkers(
  workers: number,
  weights: Weights,
  shared: Readonly<Record<string, SharedArrayBuffer>>,
): Promise<RateWorkers> {
  const [{ threads }, { RateWorkers }] = await Promise.all([
    import("@coppice/engine"),
    import("../network-rates/rate-workers.ts"),
  ]);
  return new RateWorkers(threads({ workers }), weights, shared);
}
