import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeDurably } from "@coppice/engine/files";
import type { ManifestEvent } from "../manifest/manifest.ts";
import { isoTime } from "../manifest/time.ts";
import { layout } from "../run-layout.ts";
import { type ParsedKey, parseKey } from "../search/task-key.ts";
import type { TaskEvent } from "./task-track.ts";

/** One event as a line of a log. */
interface LogLine {
  readonly ts: string;
  readonly level: "info" | "warn";
  readonly component: "tree";
  readonly run_id: string;
  readonly event: string;
  readonly message: string;
  readonly eval_id?: string;
  readonly node_id?: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What happened to the tasks, for people: `logs/run_events.jsonl`, and the same per evaluation. Made of the journal alone. */
export class EventLog {
  readonly #runRoot: string;
  readonly #runId: string;
  readonly #perEvaluation: boolean;
  readonly #waiting: { readonly line: string; readonly evalId: string | undefined }[] = [];
  readonly events: ManifestEvent[] = [];

  constructor(runRoot: string, runId: string, perEvaluation: boolean) {
    this.#runRoot = runRoot;
    this.#runId = runId;
    this.#perEvaluation = perEvaluation;
  }

  note(event: TaskEvent): void {
    const parsed = parseKey(event.key);
    const { type, details } = describe(event, parsed);
    this.events.push({ ts: isoTime(event.at) ?? "", type, details });
    const evalId = "evalId" in parsed ? parsed.evalId : undefined;
    const nodeId = "nodeId" in parsed ? parsed.nodeId : "parentNodeId" in parsed ? parsed.parentNodeId : undefined;
    const line: LogLine = {
      ts: isoTime(event.at) ?? "",
      level: event.type === "failed" ? "warn" : "info",
      component: "tree",
      run_id: this.#runId,
      event: type,
      message: `${event.key} ${event.type}${event.reason === null ? "" : `: ${event.reason}`}`,
      ...(evalId === undefined ? {} : { eval_id: evalId }),
      ...(nodeId === undefined ? {} : { node_id: nodeId }),
      payload: details,
    };
    const own = parsed.kind === "evaluation" && this.#perEvaluation ? parsed.evalId : undefined;
    this.#waiting.push({ line: `${JSON.stringify(line)}\n`, evalId: own });
  }

  /** What the manifest says beyond the journal, for as long as it says it: the next session writes the logs anew. */
  noteReported({ ts, type, details }: ManifestEvent): void {
    const { eval_id, node_id, reason } = details;
    const line: LogLine = {
      ts,
      level: "info",
      component: "tree",
      run_id: this.#runId,
      event: type,
      message: `${String(eval_id)} is node ${String(node_id)} for reports: ${String(reason)}`,
      eval_id: String(eval_id),
      node_id: String(node_id),
      payload: details,
    };
    this.#waiting.push({ line: `${JSON.stringify(line)}\n`, evalId: undefined });
  }

  /** An event that is not the journal's: it is on record elsewhere, and only told here. */
  tell({ ts, type, details }: ManifestEvent): void {
    const message = Object.values(details).join(": ");
    const line: LogLine = {
      ...{ ts, level: "warn", component: "tree", run_id: this.#runId },
      ...{ event: type, message, payload: details },
    };
    this.#waiting.push({ line: `${JSON.stringify(line)}\n`, evalId: undefined });
  }

  /** Writes the logs anew with everything noted so far: a log that a crash left behind may lack lines or have half of one. */
  rewrite(): void {
    this.#flush((path, text) => writeDurably(path, text));
  }

  /** Adds what was noted since. */
  append(): void {
    if (this.#waiting.length > 0) this.#flush(appendFileSync);
  }

  #flush(write: (path: string, text: string) => void): void {
    const whole = this.#waiting.map(({ line }) => line).join("");
    const own = new Map<string, string>();
    for (const { line, evalId } of this.#waiting) {
      if (evalId !== undefined) own.set(evalId, (own.get(evalId) ?? "") + line);
    }
    this.#waiting.length = 0;
    write(this.#path(layout.events), whole);
    for (const [evalId, text] of own) write(this.#path(layout.evaluationEvents(evalId)), text);
  }

  #path(relative: string): string {
    const path = join(this.#runRoot, relative);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  }
}

function describe(
  { type, attempt, reason }: TaskEvent,
  parsed: ParsedKey,
): { readonly type: string; readonly details: Readonly<Record<string, unknown>> } {
  switch (parsed.kind) {
    case "evaluation": {
      const { depth, evalId, parentNodeId } = parsed;
      const details = { depth, eval_id: evalId, parent_node_id: parentNodeId, attempt, reason };
      return { type: `scheduler_${type}`, details };
    }
    case "promotion": {
      const { depth, evalId, nodeId } = parsed;
      const details = { depth, eval_id: evalId, node_id: nodeId, attempt, reason };
      return { type: type === "completed" ? "promotion" : `promotion_${type}`, details };
    }
    case "ideas":
      return { type: `ideas_${type}`, details: { depth: parsed.depth, node_id: parsed.nodeId, attempt, reason } };
    case "prune":
      return { type: `prune_${type}`, details: { depth: parsed.depth, attempt, reason } };
    case "root":
      return { type: `root_${type}`, details: { attempt, reason } };
    default:
      return parsed satisfies never;
  }
}
