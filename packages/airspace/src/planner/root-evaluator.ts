import { defineEvaluator, type Task } from "@coppice/engine/evaluator";
import { decodeInstance } from "../instance/artifact.ts";
import type { Instance } from "../instance/instance.ts";
import type { Weights } from "../network/weights.ts";
import { makePlan } from "./make-plan.ts";
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

/**
 * Runs one root and says how far it is. `elapsedMs` is the worker's own clock; it is looked at only where a limit in
 * time was asked for.
 */
export function planRoot(
  instance: Instance,
  weights: Weights,
  { outer, ...options }: RootTask,
  task: Pick<Task, "report" | "log" | "key">,
  elapsedMs: () => number,
): RootValue {
  const latest = outer?.unlessAfterMs;
  if (latest !== undefined && elapsedMs() >= latest) return { skipped: true };
  const { timeMs, evaluations: total } = options;
  const begun = elapsedMs();
  const clock = timeMs === undefined ? undefined : () => (elapsedMs() - begun) / timeMs;
  const planning = makePlan(instance, weights, options, {
    ...(clock === undefined ? {} : { clock }),
    progress: ({ evaluations, best, phase }) => {
      const expected = clock === undefined ? total : Math.round(evaluations / Math.min(1, Math.max(clock(), 1e-3)));
      task.report({
        done: evaluations,
        total: Math.max(evaluations, Math.min(total, expected)),
        label: `${phase}, J ${best.toFixed(1)}`,
        unit: "evaluations",
        best,
      });
    },
  });
  const { evaluations, score, plan, stopReason } = planning;
  task.log(
    `${task.key}: seed ${options.seed}, ${evaluations} evaluations, J ${score.objective.toFixed(1)}, ${plan.length} regulations, ${stopReason}`,
  );
  return latest === undefined ? planning : { ...planning, begunInTime: true };
}
