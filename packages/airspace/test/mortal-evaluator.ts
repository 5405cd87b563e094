import { existsSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { defineEvaluator } from "@coppice/engine/evaluator";
import { decodeInstance } from "../src/instance/artifact.ts";
import type { Instance } from "../src/instance/instance.ts";
import type { Weights } from "../src/network/weights.ts";
import { SegmentRunner } from "../src/planner/population/run-segment.ts";
import type { Segment, SegmentValue } from "../src/planner/population/segment.ts";
import { runAndReport } from "../src/planner/population/segment-evaluator.ts";
import { planRoot } from "../src/planner/root-evaluator.ts";
import type { RootTask, RootValue } from "../src/planner/root-search.ts";
import type { Commit, CommitTask } from "../src/stepwise/commit-task.ts";
import { ExactRates } from "../src/stepwise/exact-rates.ts";

/** When its worker dies: while it sets up, as a root begins, in one of a planner's phases, or before its answer is sent. */
export type DeathPhase = "setup" | "begin" | "tree" | "annealing" | "end";

export interface Mortality {
  readonly weights: Weights;
  readonly phase: DeathPhase;
  /** Key of the task that is deadly; setup is for all. */
  readonly key: string;
  /** How often it kills. */
  readonly times: number;
  /** Each death leaves a file: this path, a dot and its number. */
  readonly deaths: string;
}

interface Mortal {
  readonly context: Mortality;
  readonly instance: Instance;
  readonly rates: ExactRates;
  readonly segments: SegmentRunner;
}

/** The planner's evaluators, on workers that die as if by an accident: at once, without a word. */
export default defineEvaluator({
  setup: (context: Mortality, { instance: bytes }: Readonly<Record<string, SharedArrayBuffer>>): Mortal => {
    if (context.phase === "setup") dieMaybe(context);
    const instance = decodeInstance(new Uint8Array(bytes).slice(), "shared instance");
    const { weights } = context;
    return {
      context,
      instance,
      rates: new ExactRates(instance, weights),
      segments: new SegmentRunner(instance, weights),
    };
  },
  evaluate: async (
    { context, instance, rates, segments }: Mortal,
    given: RootTask | CommitTask | Segment,
    task,
  ): Promise<RootValue | Commit | SegmentValue> => {
    const deadly = (phase: DeathPhase) => {
      if (context.phase === phase && task.key === context.key) dieMaybe(context);
    };
    deadly("begin");
    const watch = watched(task, deadly);
    const value =
      "measures" in given
        ? await rates.commit(given.before, given.measures)
        : "walker" in given
          ? runAndReport(segments, given, watch)
          : planRoot(instance, context.weights, given, watch, () => 0);
    deadly("end");
    return value;
  },
});

function watched(task: Parameters<typeof planRoot>[3], deadly: (phase: DeathPhase) => void) {
  return {
    key: task.key,
    log: task.log,
    report: (progress: Parameters<typeof task.report>[0]) => {
      task.report(progress);
      if (progress.label?.startsWith("tree")) deadly("tree");
      if (progress.label?.startsWith("annealing")) deadly("annealing");
    },
  };
}

/** Two workers at once cannot die the same death: only one of them makes its file. */
function dieMaybe({ deaths, times }: Mortality): void {
  for (let death = deathsAt(deaths); death < times; death++) {
    try {
      writeFileSync(`${deaths}.${death}`, "", { flag: "wx" });
    } catch {
      continue;
    }
    if (isMainThread) process.kill(process.pid, "SIGKILL");
    process.exit(9);
  }
}

/** How many have died. */
export function deathsAt(deaths: string): number {
  let count = 0;
  while (existsSync(`${deaths}.${count}`)) count++;
  return count;
}
