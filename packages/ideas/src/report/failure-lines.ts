import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "@coppice/engine";
import type { FailureData, TreeId } from "../contract.ts";
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
    lines.push(`  ${join(directory, log.path)} (coppice tree log ${treeRunId} ${log.of} ${log.step})`);
  }
  return lines;
}

/** What has no log of its own is told by that of the step before it. */
const BEFORE = { worktree: "implement", commit: "implement", results: "sweep" } as const;

/** Where the last that a task printed is, and of which node or evaluation. */
function logOf(task: ParsedKey, failed: FailureData["step"] = "worktree", directory: string) {
  const step = failed in BEFORE ? BEFORE[failed as keyof typeof BEFORE] : failed;
  const places = logPlaces(task).map(({ folder, of }) => ({ path: `${folder}/${step}.log`, of, step }));
  return places.find(({ path }) => existsSync(join(directory, path)));
}

/** A set-up that is shared is its node's; whose node a task works on comes last. */
function logPlaces(task: ParsedKey): readonly { readonly folder: string; readonly of: string }[] {
  const node = (id: TreeId) => ({ folder: layout.nodeLogs(id), of: id });
  const evaluation = (id: TreeId) => ({ folder: layout.evaluationLogs(id), of: `e${id}` });
  switch (task.kind) {
    case "root":
      return [{ ...evaluation(ROOT_ID), of: ROOT_ID }, node(ROOT_ID)];
    case "ideas":
      return [{ folder: layout.ideasLogs(task.nodeId), of: task.nodeId }, node(task.nodeId)];
    case "evaluation":
      return [evaluation(task.evalId), node(task.parentNodeId)];
    case "repeat":
      return task.evalId === null ? [node(task.parentNodeId)] : [evaluation(task.evalId)];
    default:
      return [];
  }
}
