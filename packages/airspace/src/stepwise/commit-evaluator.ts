import { defineEvaluator } from "@coppice/engine/evaluator";
import { decodeInstance } from "../instance/artifact.ts";
import type { Weights } from "../network/weights.ts";
import type { RateWorkers } from "../rates/rate-workers.ts";
import type { CommitTask, CommitValue } from "./commit-task.ts";
import { ExactRates } from "./exact-rates.ts";
import { rateWorkersHere } from "./rate-crew.ts";

interface CommitWorker {
  readonly rates: ExactRates;
  readonly crew: RateWorkers | undefined;
  /** When the worker began, for limits in time. */
  readonly since: number;
}

/** Evaluates commits in a worker: finds their rates and says what the plan then costs. */
export default defineEvaluator({
  setup: async (weights: Weights, shared: Readonly<Record<string, SharedArrayBuffer>>): Promise<CommitWorker> => {
    const instance = decodeInstance(new Uint8Array(shared.instance).slice(), "shared instance");
    const crew = await rateWorkersHere(weights, shared);
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
