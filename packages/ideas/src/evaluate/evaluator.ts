import { defineEvaluator, type Task } from "@coppice/engine/evaluator";
import type { TreeContext, TreeTask, TreeValue } from "../contract.ts";
import { collectIdeas } from "../generate/collect-ideas.ts";
import { evaluateIdea } from "./evaluation.ts";
import { blame } from "./machine-trouble.ts";
import { promote, prune } from "./promotion.ts";
import { plantRoot } from "./root.ts";
import { openSite, type Site } from "./site.ts";

/** Does the tree's tasks for real: git worktrees and child processes. */
export default defineEvaluator({
  setup: (context: TreeContext) => openSite(context),
  evaluate: async (site, candidate: TreeTask, task): Promise<TreeValue> => {
    try {
      return await carryOut(site, candidate, task);
    } catch (error) {
      throw blame(error, site.runRoot);
    }
  },
});

function carryOut(site: Site, candidate: TreeTask, task: Task): Promise<TreeValue> {
  switch (candidate.kind) {
    case "root":
      return plantRoot(site, candidate, task);
    case "ideas":
      return collectIdeas(site, candidate, task);
    case "evaluation":
      return evaluateIdea(site, candidate, task);
    case "promotion":
      return promote(site, candidate, task.signal);
    case "prune":
      return prune(site, candidate);
  }
}
