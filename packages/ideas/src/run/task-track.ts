import type { FailureDetail } from "@coppice/engine/pools";
import type { JournalEntry } from "@coppice/engine/records";

export type TaskState = "queued" | "running" | "completed" | "failed";

/** What became of one task so far, as the journal tells it. Times are milliseconds since the epoch. */
export interface TaskTrack {
  readonly key: string;
  state: TaskState;
  /** True once the search is told of it; a failure that stops the run is not final. */
  final: boolean;
  readonly queuedAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  /** The process that has or had it. */
  workerPid: number | null;
  /** Attempts that were not cut short, the current one included; 0 before the first. */
  attempt: number;
  /** Times it was started, cut short or not. */
  executions: number;
  requeues: number;
  /** The last failed attempt; null after a success. */
  error: TaskError | null;
  /** Encoded value, once completed. */
  value: string | null;
}

interface TaskError {
  readonly type: string;
  readonly message: string;
  readonly attempt: number;
  readonly willRetry: boolean;
  readonly detail: FailureDetail;
}

/** Something that happened to a task, for people. */
export interface TaskEvent {
  readonly at: number;
  readonly type: "queued" | "started" | "completed" | "failed" | "requeued";
  readonly key: string;
  readonly attempt: number;
  readonly reason: string | null;
}

const next: Readonly<Record<TaskState, readonly TaskState[]>> = {
  queued: ["running", "completed"],
  running: ["completed", "failed", "queued"],
  failed: ["queued"],
  completed: [],
};

/** Every change of state goes through here: one that cannot be is an error, not a repair. */
export function moveTask(track: TaskTrack, to: TaskState): void {
  if (!next[track.state].includes(to)) {
    throw new Error(`task ${track.key} is ${track.state}: it cannot become ${to}`);
  }
  track.state = to;
}

export function newTrack(key: string, queuedAt: number): TaskTrack {
  return {
    key,
    state: "queued",
    final: false,
    queuedAt,
    startedAt: null,
    finishedAt: null,
    workerPid: null,
    attempt: 0,
    executions: 0,
    requeues: 0,
    error: null,
    value: null,
  };
}

export function noteStarted(track: TaskTrack, entry: Extract<JournalEntry, { type: "started" }>): TaskEvent {
  moveTask(track, "running");
  track.attempt = (track.error?.attempt ?? 0) + 1;
  track.executions++;
  track.startedAt = entry.at;
  track.finishedAt = null;
  track.workerPid = entry.pid;
  return { at: entry.at, type: "started", key: track.key, attempt: track.attempt, reason: null };
}

export function noteCompleted(track: TaskTrack, entry: Extract<JournalEntry, { type: "completed" }>): TaskEvent {
  moveTask(track, "completed");
  track.final = true;
  track.attempt = entry.attempt + 1;
  track.finishedAt = entry.at;
  track.error = null;
  track.value = entry.value;
  return { at: entry.at, type: "completed", key: track.key, attempt: track.attempt, reason: null };
}

export function noteFailed(track: TaskTrack, entry: Extract<JournalEntry, { type: "failed" }>): TaskEvent[] {
  moveTask(track, "failed");
  // Cast: the engine writes every failure as a type and a message.
  const { type, message } = JSON.parse(entry.failure) as { type: string; message: string };
  const { willRetry, detail, at } = entry;
  track.attempt = entry.attempt + 1;
  track.finishedAt = at;
  track.final = entry.outcome;
  track.error = { type, message, attempt: track.attempt, willRetry, detail };
  const failed: TaskEvent = {
    at,
    type: "failed",
    key: track.key,
    attempt: track.attempt,
    reason: `${type}: ${message}`,
  };
  return willRetry ? [failed, requeue(track, at, "retry")] : [failed];
}

/** Back in the queue, and why: nothing returns there without a reason. */
export function requeue(track: TaskTrack, at: number, reason: string): TaskEvent {
  moveTask(track, "queued");
  track.requeues++;
  track.finishedAt = null;
  return { at, type: "requeued", key: track.key, attempt: track.attempt, reason };
}
