import { join } from "node:path";
import type { RunEvent } from "@coppice/engine";
import type { FailureData, TreeId } from "../contract.ts";
import { layout } from "../run-layout.ts";
import { parseKey } from "../search/task-key.ts";
import type { TreeSearch } from "../search/tree-search.ts";

/** What a failed attempt is to people: the idea, why, what was said last on standard error, and where the rest is. */
export function failureLines(
  { key, failure, detail, willRetry }: Extract<RunEvent, { type: "failed" }>,
  directory: string,
  { treeRunId, search }: { readonly treeRunId: string; readonly search: Pick<TreeSearch, "evaluations"> },
): readonly string[] {
  const task = parseKey(key);
  // Cast: what the tree's tasks throw carries this, or nothing.
  const { step, errorTail = [], logTail = [] } = (detail.data ?? {}) as Partial<FailureData>;
  const then = willRetry ? ", will be tried again" : "";
  const [message] = failure.message.split("\n");
  const lines = [`${nameOf(task, search)} failed: ${failure.type}: ${message}${then}`];
  const tail = errorTail.length > 0 ? errorTail : logTail.slice(-5);
  lines.push(...tail.map((line) => `  | ${line}`));
  const log = step === undefined ? undefined : logOf(task, step);
  if (log !== undefined) {
    const about = task.kind === "evaluation" ? `e${task.evalId}` : log.node;
    lines.push(`  ${join(directory, log.path)} (coppice tree log ${treeRunId} ${about} ${step})`);
  }
  return lines;
}

type Task = ReturnType<typeof parseKey>;

function nameOf(task: Task, { evaluations }: Pick<TreeSearch, "evaluations">): string {
  switch (task.kind) {
    case "root":
      return "the root";
    case "ideas":
      return `the ideas of node ${task.nodeId}`;
    case "evaluation":
      return ideaOf(task.evalId, task.parentNodeId);
    case "repeat":
      return `repeat ${task.repeat} of ${task.evalId === null ? `node ${task.parentNodeId}` : ideaOf(task.evalId, task.parentNodeId)}`;
    case "promotion":
      return `the promotion of evaluation ${task.evalId} to node ${task.nodeId}`;
    case "prune":
      return `removing the candidates of depth ${task.depth}`;
    default:
      return task satisfies never;
  }

  function ideaOf(evalId: TreeId, node: TreeId): string {
    return `${evaluations.get(evalId)?.task.idea.name ?? "an idea"} (evaluation ${evalId} on node ${node})`;
  }
}

function logOf(task: Task, step: FailureData["step"]): { readonly path: string; readonly node: string } | undefined {
  if (step === "worktree" || step === "commit" || step === "results") return undefined;
  if (task.kind === "evaluation") return { path: `${layout.evaluationLogs(task.evalId)}/${step}.log`, node: "" };
  if (task.kind === "ideas") return { path: `${layout.ideasLogs(task.nodeId)}/${step}.log`, node: task.nodeId };
  if (task.kind === "repeat") {
    const folder = task.evalId === null ? layout.nodeLogs(task.parentNodeId) : layout.evaluationLogs(task.evalId);
    return { path: `${folder}/${step}.log`, node: task.evalId === null ? task.parentNodeId : `e${task.evalId}` };
  }
  return task.kind === "root" ? { path: `${layout.evaluationLogs("0000")}/${step}.log`, node: "0000" } : undefined;
}
