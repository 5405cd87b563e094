import { basename } from "node:path";
import type { RunEnd, RunEvent } from "@coppice/engine";
import { counted } from "@coppice/engine/figures";
import type { RunReport } from "@coppice/engine/records";
import { readTree } from "../run/recorded-tree.ts";
import { parseKey } from "../search/task-key.ts";
import type { TreeSearch } from "../search/tree-search.ts";
import { failureLines } from "./failure-lines.ts";
import { taskName, withTaskName, workName } from "./task-name.ts";

/** The event with what people are told of a tree's start, tasks, failures and end. */
export function retold(event: RunEvent, directory: string, search: Pick<TreeSearch, "evaluations">): RunEvent {
  switch (event.type) {
    case "run-started": {
      const { id, workers, pool } = event.start;
      const where = workers > 0 ? `${counted(workers, "worker")} (${pool})` : pool;
      return { ...event, says: [`run ${id}: ${where}, in ${directory}`] };
    }
    case "resumed": {
      const { plan } = event;
      // This session's search knows no idea yet; the journal does.
      const known = plan.reasons.some((reason) => / \(key "/.test(reason)) ? readTree(directory).search : search;
      return { ...event, plan: { ...plan, reasons: plan.reasons.map((reason) => withTaskName(reason, known)) } };
    }
    case "queued": {
      const task = parseKey(event.key);
      const { evalId = null } = "evalId" in task ? task : {};
      return { ...event, says: [workName(task, search.evaluations.get(evalId ?? "")?.task.idea.name)] };
    }
    case "failed":
      return { ...event, says: failureLines(event, directory, { treeRunId: basename(directory), search }) };
    case "finished":
      return { ...event, says: endLines(event.end, search) };
    default:
      return event;
  }
}

function endLines(end: RunEnd, search: Pick<TreeSearch, "evaluations">): readonly string[] {
  const after = `${end.state} after ${counted(end.tells, "task")}`;
  if (end.state !== "done") return [`${after}: ${withTaskName(end.message.split("\n", 1)[0], search)}`];
  const again = end.reproducible.from === "seed" ? "" : "; another run starts its commands anew and may differ";
  return [`${after}, reproducible from its journal${again}`, `digest ${end.digest}`];
}

/** The same for those who follow a run of another process: ideas are named as far as its journal goes. */
export function retellerOf(directory: string): (event: RunEvent) => RunEvent {
  let search: Pick<TreeSearch, "evaluations"> = { evaluations: new Map() };
  return (event) => {
    const isTask = event.type === "failed" || event.type === "queued";
    const isToName = isTask ? !isNamed(event.key, search) : event.type === "finished";
    if (isToName) search = readTree(directory).search;
    return retold(event, directory, search);
  };
}

/** The failures of a run's report, by what failed. */
export function namedFailures<Report extends Pick<RunReport, "failures">>(report: Report, directory: string): Report {
  const { shown } = report.failures;
  if (shown.length === 0) return report;
  const { search } = readTree(directory);
  const named = shown.map((each) => ({ ...each, name: taskName(parseKey(each.key), search) }));
  return { ...report, failures: { ...report.failures, shown: named } };
}

function isNamed(key: string, { evaluations }: Pick<TreeSearch, "evaluations">): boolean {
  const task = parseKey(key);
  return !("evalId" in task) || task.evalId === null || evaluations.has(task.evalId);
}
