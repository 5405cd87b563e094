import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeDurably } from "@coppice/engine/files";
import { isoTime } from "../manifest/json-text.ts";
import type { ManifestEvent } from "../manifest/manifest.ts";
import { layout } from "../run-layout.ts";
import { type ParsedKey, parseKey } from "../search/task-key.ts";
import type { TaskEvent } from "./task-track.ts";

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
    const { depth, evalId = undefined, parentNodeId, nodeId, repeat }: TaskIds = parsed;
    const ids = { depth, eval_id: evalId, parent_node_id: parentNodeId, node_id: nodeId, repeat };
    const known = Object.fromEntries(Object.entries(ids).filter(([, id]) => id != null));
    const { at, attempt, reason } = event;
    const noted = { ts: isoTime(at) ?? "", type: typeOf(event, parsed), details: { ...known, attempt, reason } };
    this.events.push(noted);
    const message = `${event.key} ${event.type}${reason === null ? "" : `: ${reason}`}`;
    const about = { eval_id: evalId, node_id: nodeId ?? parentNodeId };
    const own = parsed.kind === "evaluation" && this.#perEvaluation ? parsed.evalId : undefined;
    this.#add(noted, event.type === "failed" ? "warn" : "info", message, about, own);
  }

  /** What the manifest says beyond the journal, for as long as it says it: the next session writes the logs anew. */
  noteReported(event: ManifestEvent): void {
    const { eval_id, node_id, reason } = event.details;
    this.#add(event, "info", `${eval_id} is node ${node_id} for reports: ${reason}`, { eval_id, node_id });
  }

  /** An event that is not the journal's: it is on record elsewhere, and only told here. */
  tell(event: ManifestEvent): void {
    this.#add(event, "warn", Object.values(event.details).join(": "));
  }

  /** Writes the logs anew with everything noted so far: a log that a crash left behind may lack lines or have half of one. */
  rewrite(): void {
    this.#flush((path, text) => writeDurably(path, text));
  }

  /** Adds what was noted since. */
  append(): void {
    if (this.#waiting.length > 0) this.#flush(appendFileSync);
  }

  #add(event: ManifestEvent, level: "info" | "warn", message: string, about = {}, evalId?: string): void {
    const { ts, type, details } = event;
    const line = {
      ts,
      level,
      component: "tree",
      run_id: this.#runId,
      event: type,
      message,
      ...about,
      payload: details,
    };
    this.#waiting.push({ line: `${JSON.stringify(line)}\n`, evalId });
  }

  #flush(write: (path: string, text: string) => void): void {
    const whole = this.#waiting.map(({ line }) => line).join("");
    const own = new Map<string, string>();
    for (const { line, evalId } of this.#waiting) {
      if (evalId !== undefined) own.set(evalId, (own.get(evalId) ?? "") + line);
    }
    const noted = this.#waiting.length;
    write(this.#path(layout.events), whole);
    for (const [evalId, text] of own) write(this.#path(layout.evaluationEvents(evalId)), text);
    // What could not be written, on a full disk say, is written with the next.
    this.#waiting.splice(0, noted);
  }

  #path(relative: string): string {
    const path = join(this.#runRoot, relative);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  }
}

/** What a key may say, whatever its kind. */
interface TaskIds {
  readonly kind: ParsedKey["kind"];
  readonly depth?: number;
  readonly evalId?: string | null;
  readonly parentNodeId?: string;
  readonly nodeId?: string;
  readonly repeat?: number;
}

/** Names that other tools know: tasks of the scheduler are evaluations, and a promotion is one that was made. */
function typeOf({ type }: TaskEvent, { kind }: ParsedKey): string {
  if (kind === "promotion" && type === "completed") return "promotion";
  return `${kind === "evaluation" ? "scheduler" : kind}_${type}`;
}
