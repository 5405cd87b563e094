import type { Reproducible } from "../contract/event.ts";
import type { FailureDetail, WorkerIdentity } from "../contract/pool.ts";
import type { RunFile } from "../run-directory/run-file.ts";

/** One line of a journal. Encoded outcomes are kept as the text that was told and hashed. */
export type JournalEntry =
  | RunMarker
  | { readonly type: "queued"; readonly at: number; readonly ask: number; readonly tasks: readonly QueuedTask[] }
  | {
      readonly type: "started";
      readonly at: number;
      readonly worker: number;
      readonly pid: number;
      readonly pidStart: string;
      /** The worker's machine, where it is not that of the session. */
      readonly host?: string;
      readonly asks: readonly number[];
    }
  | (Attempted & {
      readonly type: "completed";
      readonly from: "worker" | "cache";
      /** Encoded value, verbatim. */
      readonly value: string;
    })
  | (Attempted & {
      readonly type: "failed";
      readonly willRetry: boolean;
      /** Whether this failure is the key's outcome; a failed attempt that is tried again is not. */
      readonly outcome: boolean;
      readonly detail: FailureDetail;
      /** Encoded `{type, message}`, verbatim. */
      readonly failure: string;
    })
  | { readonly type: "requeued"; readonly at: number; readonly ask: number; readonly reason: string }
  | { readonly type: "cancelled"; readonly at: number; readonly ask: number; readonly reason: CancelReason };

/** So many characters of a candidate's text are for people to read; one more says that it goes on. */
export const SHOWN_CANDIDATE = 200;

/**
 * Key, candidate hash and, where the key does not say it, how the candidate's text begins ({@link SHOWN_CANDIDATE}; older
 * journals do not have it). The ask number is that of the line plus the place in the list.
 */
export type QueuedTask = readonly [key: string, candidateHash: string, candidate?: string];

/** Only `withdrawn` changes what is told; the others say why work that was out did not end. */
export type CancelReason = "withdrawn" | "done" | "interrupted" | "stopped" | "error";

/** Which run a journal belongs to. */
export interface RunIdentity {
  readonly id: string;
  readonly seed: number;
  /** The start of a SHA-256 over each field that shapes the answer. */
  readonly shape: Readonly<Record<string, string>>;
}

export type RunMarker =
  | {
      readonly type: "run";
      readonly event: "opened";
      readonly at: number;
      readonly pid: number;
      readonly pidStart: string;
      /** The coordinator's machine; older journals do not say. */
      readonly host?: string;
      /** Where its process numbers mean something, and which journal it wrote; older journals do not say. */
      readonly place?: string;
      readonly directory?: string;
      readonly inode?: number;
      readonly node: string;
      readonly runToken: string;
      /** The run that was begun here; only in a journal's first line, and not in older ones. */
      readonly run?: RunIdentity;
    }
  | { readonly type: "run"; readonly event: "truncated"; readonly at: number; readonly bytes: number }
  | { readonly type: "run"; readonly event: "takeover"; readonly at: number; readonly from: string }
  | {
      /** From here on outcomes are another code's. */
      readonly type: "run";
      readonly event: "changed";
      readonly at: number;
      readonly tell: number;
      readonly what: string;
      readonly evaluator: RunFile["evaluator"];
    }
  | {
      readonly type: "run";
      readonly event: "digest";
      readonly at: number;
      readonly tells: number;
      readonly digest: string;
    }
  | { readonly type: "run"; readonly event: "time-limit"; readonly at: number; readonly tell: number }
  | {
      readonly type: "run";
      readonly event: "stopped" | "interrupted" | "error";
      readonly at: number;
      readonly tells: number;
      readonly message: string;
    }
  | {
      readonly type: "run";
      readonly event: "finished";
      readonly at: number;
      readonly tells: number;
      readonly digest: string;
      readonly reproducible: Reproducible;
      /** Hash of the result; older journals have none. */
      readonly result?: string;
    };

// Bodies are written by hand where it is hot: an outcome's text goes in verbatim, last, so that it comes out verbatim.

export function queuedBody(at: number, ask: number, tasks: readonly QueuedTask[]): string {
  return `"type":"queued","at":${at},"ask":${ask},"tasks":${JSON.stringify(tasks)}}`;
}

export function startedBody(at: number, identity: WorkerIdentity, asks: readonly number[]): string {
  const { worker, pid, pidStart, host } = identity;
  const where = host === undefined ? "" : `,"host":${JSON.stringify(host)}`;
  return `"type":"started","at":${at},"worker":${worker},"pid":${pid},"pidStart":${JSON.stringify(pidStart)}${where},"asks":[${asks.join(",")}]}`;
}

/** Which attempt at which task a line is about; `ms` is how long it took. */
export interface Attempted {
  readonly at: number;
  readonly ask: number;
  readonly key: string;
  readonly attempt: number;
  readonly worker: number;
  readonly ms: number;
}

export function completedBody(task: Attempted, from: "worker" | "cache", value: string): string {
  return `"type":"completed",${attempted(task)},"from":"${from}","value":${value}}`;
}

export function failedBody(
  task: Attempted,
  willRetry: boolean,
  outcome: boolean,
  detail: FailureDetail,
  failure: string,
): string {
  return `"type":"failed",${attempted(task)},"willRetry":${willRetry},"outcome":${outcome},"detail":${JSON.stringify(detail)},"failure":${failure}}`;
}

function attempted(task: Attempted): string {
  return `"at":${task.at},"ask":${task.ask},"key":${JSON.stringify(task.key)},"attempt":${task.attempt},"worker":${task.worker},"ms":${Math.round(task.ms * 1000) / 1000}`;
}

/** Body of any entry without a verbatim part. */
export function plainBody(entry: RunMarker | Extract<JournalEntry, { type: "requeued" | "cancelled" }>): string {
  return JSON.stringify(entry).slice(1);
}

const VALUE = Buffer.from(',"value":');
const FAILURE = Buffer.from(',"failure":');
const COMPLETED = Buffer.from('"type":"completed"');
const FAILED = Buffer.from('"type":"failed"');

/**
 * Reads a body back. Inside a JSON string a marker's quotes would be escaped, so only an object's own field can look like
 * one. A value may have such fields and nothing before it has: it starts at the first marker. An error's `data` stands
 * before the failure and may have them, the failure itself has only strings: it starts at the last one.
 */
export function parseBody(body: Buffer): JournalEntry {
  if (startsWith(body, COMPLETED)) return withVerbatim(body, body.indexOf(VALUE), VALUE.length, "value");
  if (startsWith(body, FAILED)) return withVerbatim(body, body.lastIndexOf(FAILURE), FAILURE.length, "failure");
  return JSON.parse(`{${body.toString("utf8")}`) as JournalEntry;
}

function startsWith(body: Buffer, text: Buffer): boolean {
  for (let i = 0; i < text.length; i++) if (body[i] !== text[i]) return false;
  return true;
}

function withVerbatim(body: Buffer, at: number, marker: number, field: "value" | "failure"): JournalEntry {
  const entry = JSON.parse(`{${body.toString("utf8", 0, at)}}`) as Record<string, unknown>;
  entry[field] = body.toString("utf8", at + marker, body.length - 1);
  return entry as unknown as JournalEntry;
}
