import { defineEvaluator } from "@coppice/engine/evaluator";
import { decodeInstance } from "../instance/artifact.ts";
import type { Instance } from "../instance/instance.ts";
import type { Weights } from "../network/weights.ts";
import { makePlan, type Planning } from "./make-plan.ts";
import type { RootTask } from "./root-search.ts";

/** Runs one root of a plan search in a worker; the day comes once, as shared bytes. */
export default defineEvaluator({
  setup: (weights: Weights, { instance }: Readonly<Record<string, SharedArrayBuffer>>) => ({
    instance: decodeInstance(new Uint8Array(instance).slice(), "shared instance"),
    weights,
  }),
  evaluate: (state: { instance: Instance; weights: Weights }, root: RootTask, task): Planning =>
    makePlan(state.instance, state.weights, root, ({ evaluations, best }) =>
      task.report({ done: evaluations, total: root.evaluations, label: `J ${best.toFixed(1)}` }),
    ),
});
