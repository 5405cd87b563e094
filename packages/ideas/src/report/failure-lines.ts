import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "@coppice/engine";
import type { FailureData } from "../contract.ts";
import { layout } from "../run-layout.ts";
import { type ParsedKey, parseKey } from "../search/task-key.ts";
import type { TreeSearch } from "../search/tree-search.ts";
import { ROOT_ID } from "../search/tree-state.ts";
import { taskName } from "./task-name.ts";

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
  const lines = [`${taskName(task, search)} failed: ${failure.type}: ${message}${then}`];
  const tail = errorTail.length > 0 ? errorTail : logTail.slice(-5);
  lines.push(...tail.map((line) => `  | ${line}`));
  const log = logOf(task, step, directory);
  if (log !== undefined) {
    const about = task.kind === "evaluation" ? `e${task.evalId}` : log.node;
    lines.push(`  ${join(directory, log.path)} (coppice tree log ${treeRunId} ${about} ${log.step})`);
  }
  return lines;
}

/** What has no log of its own is told by that of the step before it. */
const BEFORE = { worktree: "implement", commit: "implement", results: "sweep" } as const;

/** Where the last that a task printed is. */
function logOf(task: ParsedKey, failed: FailureData["step"] = "worktree", directory: string) {
  const place = logPlace(task);
  const step = failed in BEFORE ? BEFORE[failed as keyof typeof BEFORE] : failed;
  if (place === undefined) return undefined;
  const path = `${place.folder}/${step}.log`;
  return step === failed || existsSync(join(directory, path)) ? { path, step, node: place.node } : undefined;
}

function logPlace(task: ParsedKey): { readonly folder: string; readonly node: string } | undefined {
  if (task.kind === "evaluation") return { folder: layout.evaluationLogs(task.evalId), node: "" };
  if (task.kind === "ideas") return { folder: layout.ideasLogs(task.nodeId), node: task.nodeId };
  if (task.kind === "repeat") {
    return task.evalId === null
      ? { folder: layout.nodeLogs(task.parentNodeId), node: task.parentNodeId }
      : { folder: layout.evaluationLogs(task.evalId), node: `e${task.evalId}` };
  }
  return task.kind === "root" ? { folder: layout.evaluationLogs(ROOT_ID), node: ROOT_ID } : undefined;
}
