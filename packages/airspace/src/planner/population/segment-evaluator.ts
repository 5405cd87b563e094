import { defineEvaluator, type Task } from "@coppice/engine/evaluator";
import { decodeInstance } from "../../instance/artifact.ts";
import type { Instance } from "../../instance/instance.ts";
import type { Weights } from "../../network/weights.ts";
import { SegmentRunner } from "./run-segment.ts";
import type { Segment, SegmentValue } from "./segment.ts";

/** Runs segments of a population in a worker; the day comes once, as shared bytes. */
export default defineEvaluator({
  setup: (weights: Weights, shared: Readonly<Record<string, SharedArrayBuffer>>): SegmentRunner => {
    const instance = decodeInstance(new Uint8Array(shared.instance).slice(), "shared instance");
    return new SegmentRunner(instance, weights, sharedDraws(shared.draws, instance));
  },
  evaluate: (runner: SegmentRunner, segment: Segment, task): SegmentValue => runAndReport(runner, segment, task),
});

/** Draws of the weather, one after the other, where plans are scored over them. */
function sharedDraws(draws: SharedArrayBuffer | undefined, { capacity }: Instance): Float64Array[] {
  const all = new Float64Array(draws ?? new ArrayBuffer(0));
  return Array.from({ length: all.length / capacity.length }, (_, draw) =>
    all.subarray(draw * capacity.length, (draw + 1) * capacity.length),
  );
}

/** Runs a segment and tells people what it is before it begins and what it found. */
export function runAndReport(
  runner: SegmentRunner,
  segment: Segment,
  task: Pick<Task, "report" | "log" | "key">,
): SegmentValue {
  const { kind, evaluations: total, temperature } = segment;
  const what = kind === "tree" ? "tree" : `T ${temperature.first.toFixed(2)}`;
  const counted = { total, unit: "evaluations" };
  task.report({ ...counted, done: 0, label: what });
  const value = runner.run(segment);
  const { best, end, evaluations } = value;
  const { objective } = best.score;
  task.report({ ...counted, done: total, label: `${what}, J ${end.objective.toFixed(1)}`, best: objective });
  task.log(
    `${task.key}: ${what}, ${evaluations} evaluations, J ${end.objective.toFixed(1)}, best ${objective.toFixed(1)}`,
  );
  return value;
}
