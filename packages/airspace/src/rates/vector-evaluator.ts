import { defineEvaluator } from "@coppice/engine/evaluator";
import { decodeInstance } from "../instance/artifact.ts";
import { planKey } from "../network/plan-key.ts";
import type { Plan } from "../network/regulation.ts";
import type { Weights } from "../network/weights.ts";
import { evaluateVector } from "./evaluate-vector.ts";
import { RateKernel } from "./kernel.ts";
import { type NetworkTask, networkModels } from "./network-model.ts";
import type { RateModelSource } from "./rate-model.ts";
import type { VectorTask } from "./rate-workers.ts";
import { Recent } from "./recent.ts";

interface VectorWorker {
  readonly models: RateModelSource<NetworkTask>;
  readonly kernels: Recent<RateKernel>;
  /** A plan is the same object each time: what it leaves of the day is remembered by it. */
  readonly plans: Recent<Plan>;
}

/** Scores rate vectors of whatever regulation comes; the tables of the last ones are kept. */
export default defineEvaluator({
  setup: (weights: Weights, { instance }: Readonly<Record<string, SharedArrayBuffer>>): VectorWorker => ({
    models: networkModels(decodeInstance(new Uint8Array(instance).slice(), "shared instance"), weights),
    kernels: new Recent(8),
    plans: new Recent(32),
  }),
  evaluate: ({ models, kernels, plans }: VectorWorker, { task, vector }: VectorTask): number => {
    const key = models.key(task);
    let kernel = kernels.find(key);
    if (kernel === undefined) {
      const { plan = [] } = task;
      const ofPlan = planKey(plan);
      const known = plans.find(ofPlan) ?? plans.add(ofPlan, plan);
      kernel = kernels.add(key, new RateKernel(models.model({ ...task, plan: known }).tables));
    }
    return evaluateVector(kernel, vector);
  },
});
