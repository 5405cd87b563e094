import { defineEvaluator } from "@coppice/engine/evaluator";
import { decodeInstance } from "../instance/artifact.ts";
import type { Weights } from "../network/weights.ts";
import { evaluateVector, RateKernel } from "../rate-search/rate-kernel.ts";
import type { RateModelSource } from "../rate-search/rate-model.ts";
import { Recent } from "../rate-search/recent.ts";
import { type NetworkTask, networkModels } from "./network-model.ts";
import type { VectorTask } from "./rate-workers.ts";

interface VectorWorker {
  readonly models: RateModelSource<NetworkTask>;
  readonly kernels: Recent<RateKernel>;
}

/** Scores rate vectors of whatever regulation comes; the tables of the last ones are kept. */
export default defineEvaluator({
  setup: (weights: Weights, { instance }: Readonly<Record<string, SharedArrayBuffer>>): VectorWorker => ({
    models: networkModels(decodeInstance(new Uint8Array(instance).slice(), "shared instance"), weights),
    kernels: new Recent(8),
  }),
  evaluate: ({ models, kernels }: VectorWorker, { task, vector }: VectorTask): number => {
    const key = models.key(task);
    const kernel = kernels.find(key) ?? kernels.add(key, new RateKernel(models.model(task).tables));
    return evaluateVector(kernel, vector);
  },
});
