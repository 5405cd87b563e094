import { defineEvaluator } from "@coppice/engine/evaluator";
import { decodeInstance } from "../instance/artifact.ts";
import type { Instance } from "../instance/instance.ts";
import type { Weights } from "../network/weights.ts";
import { planRoot } from "./plan-root.ts";
import type { RootTask, RootValue } from "./root-search.ts";

interface RootWorker {
  readonly instance: Instance;
  readonly weights: Weights;
  /** When the worker began, for limits in time. */
  readonly since: number;
}

/** Runs one root of a plan search in a worker; the day comes once, as shared bytes. */
export default defineEvaluator({
  setup: (weights: Weights, { instance }: Readonly<Record<string, SharedArrayBuffer>>): RootWorker => ({
    instance: decodeInstance(new Uint8Array(instance).slice(), "shared instance"),
    weights,
    since: performance.now(),
  }),
  evaluate: ({ instance, weights, since }: RootWorker, root: RootTask, task): RootValue =>
    planRoot(instance, weights, root, task, () => performance.now() - since),
});
