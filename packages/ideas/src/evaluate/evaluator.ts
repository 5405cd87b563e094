import { defineEvaluator, type Task } from "@coppice/engine/evaluator";
import type { TreeContext, TreeTask, TreeValue } from "../contract.ts";
import { collectIdeas } from "../generate/collect-ideas.ts";
import { workName } from "../report/task-name.ts";
import { parseKey } from "../search/task-key.ts";
import { evaluateIdea } from "./evaluation.ts";
import { blame } from "./machine-trouble.ts";
import { type OpenRun, openRun } from "./open-run.ts";
import { promote, prune } from "./promotion.ts";
import { repeatMeasurement } from "./repeat.ts";
import { plantRoot } from "./root.ts";

/** Does the tree's tasks for real: git worktrees and child processes. */
export default defineEvaluator({
  setup: ({ runRoot }: TreeContext) => openRun(runRoot),
  evaluate: async (run, candidate: TreeTask, task): Promise<TreeValue> => {
    const name = workName(parseKey(task.key), ideaOf(candidate));
    const report: Task["report"] = (progress) => task.report({ ...progress, name });
    report({ done: 0, total: 0 });
    try {
      return await carryOut(run, candidate, { ...task, signal: task.signal, report });
    } catch (error) {
      throw blame(error, run.runRoot);
    }
  },
});

function carryOut(run: OpenRun, candidate: TreeTask, task: Task): Promise<TreeValue> {
  switch (candidate.kind) {
    case "root":
      return plantRoot(run, candidate, task);
    case "ideas":
      return collectIdeas(run, candidate, task);
    case "evaluation":
      return evaluateIdea(run, candidate, task);
    case "repeat":
      return repeatMeasurement(run, candidate, task);
    case "promotion":
      return promote(run, candidate, task.signal);
    case "prune":
      return prune(run, candidate);
  }
}

function ideaOf(task: TreeTask): string | undefined {
  if (task.kind === "evaluation") return task.idea.name;
  return task.kind === "repeat" ? (task.ideaName ?? undefined) : undefined;
}
