import { hostname } from "node:os";
import type { FailureDetail, PoolTask, WorkerIdentity } from "../../contract/pool.ts";
import { cutMiddle, cutText, LONGEST_LINE } from "../../worker/cut-text.ts";
import type { WorkerEnd, WorkerLink } from "../../worker/worker-link.ts";
import type { TasksMessage } from "../../worker/worker-message.ts";

/** An unsettled task of a pool. */
export interface Entry {
  readonly id: number;
  readonly task: PoolTask;
  /** Workers that died under it. */
  losses: number;
  aborted: boolean;
  member: CrewMember | undefined;
}

/** Why the pool itself ends a worker: for one of its tasks, or because the pool closes or breaks. */
export type Verdict =
  | { readonly kind: "timeout" | "abort"; readonly entry: Entry }
  | { readonly kind: "close" | "setup" };

/** Why a worker was ended, for people. */
export function reasonOf(kind: Verdict["kind"]): string {
  switch (kind) {
    case "timeout":
      return "a task ran over its time limit";
    case "abort":
      return "a task was aborted";
    case "close":
      return "the pool closed";
    case "setup":
      return "setup ran over its time limit";
  }
}

const LOG_TAIL_LINES = 20;
const HERE = hostname();

/** A worker as its pool sees it: what it was handed, how far it is, the last lines it printed. */
export class CrewMember {
  readonly worker: number;
  #link: WorkerLink | undefined;
  state: "starting" | "ready" | "ended" = "starting";
  /** Handed over and not yet answered, in the worker's order. */
  handed: Entry[] = [];
  /** How many of its chunks' tasks are not yet answered, chunk by chunk. */
  readonly #chunkSizes: number[] = [];
  /** Tasks answered since it started: the first of `handed` is number `answered + 1`. */
  answered = 0;
  verdict: Verdict | undefined;
  /** When a timed-out task's grace ends and the worker is ended; undefined once it is. */
  killAtMs: number | undefined;
  endSetupWatch: () => void = () => {};
  stuckTimer: NodeJS.Timeout | undefined;
  readonly #tail: string[] = [];
  #partialLine = "";

  constructor(worker: number) {
    this.worker = worker;
  }

  attach(link: WorkerLink): void {
    this.#link = link;
  }

  get link(): WorkerLink {
    if (this.#link === undefined) throw new Error(`worker ${this.worker} has not been started`);
    return this.#link;
  }

  identity(): WorkerIdentity {
    const { pid, pidStart, host = HERE } = this.link;
    return { worker: this.worker, pid, pidStart, ...(host === HERE ? {} : { host }) };
  }

  /** Chunks handed over and not yet answered to the end. */
  get chunks(): number {
    return this.#chunkSizes.length;
  }

  hand(entries: readonly Entry[]): void {
    this.#chunkSizes.push(entries.length);
    const message: TasksMessage = ["tasks"];
    for (const entry of entries) {
      entry.member = this;
      this.handed.push(entry);
      const { id, key, attempt, candidate } = entry.task;
      message.push(id, key, attempt, candidate);
    }
    this.link.post(message);
  }

  /** Takes the next tasks off the list: they are answered for. */
  answer(count: number): Entry[] {
    const entries = this.handed.splice(0, count);
    this.answered += entries.length;
    this.#answerChunks(entries.length);
    return entries;
  }

  #answerChunks(tasks: number): void {
    let left = tasks;
    while (left > 0) {
      const first = this.#chunkSizes[0];
      if (first > left) {
        this.#chunkSizes[0] = first - left;
        return;
      }
      left -= first;
      this.#chunkSizes.shift();
    }
  }

  /** The task it is at, and since when; undefined between tasks. Its place in the order tells which one it is. */
  current(): { readonly entry: Entry; readonly sinceMs: number } | undefined {
    const { started, atMs } = this.link.lastStart();
    const entry = this.handed[started - this.answered - 1];
    return entry === undefined ? undefined : { entry, sinceMs: atMs };
  }

  /** Adds to the tail and gives the complete lines. */
  printed(text: string): string[] {
    const lines = (this.#partialLine + text).split("\n").map((line) => cutMiddle(line));
    this.#partialLine = lines.pop() ?? "";
    this.remember(lines);
    return lines;
  }

  remember(lines: readonly string[]): void {
    this.#tail.push(...lines.slice(-LOG_TAIL_LINES).map((line) => cutText(line, LONGEST_LINE)));
    if (this.#tail.length > LOG_TAIL_LINES) this.#tail.splice(0, this.#tail.length - LOG_TAIL_LINES);
  }

  logTail(): Pick<FailureDetail, "logTail"> {
    const partial = cutText(this.#partialLine, LONGEST_LINE);
    const tail = partial === "" ? [...this.#tail] : [...this.#tail, partial];
    return tail.length === 0 ? {} : { logTail: tail };
  }

  /** What people may read about a task that ended with this worker. */
  endDetail(end: WorkerEnd, cause: "timedOut" | "workerLost"): FailureDetail {
    return {
      timedOut: cause === "timedOut",
      workerLost: cause === "workerLost",
      ...(end.stack !== undefined && { stack: end.stack }),
      ...(end.exitCode !== undefined && { exitCode: end.exitCode }),
      ...(end.signal !== undefined && { signal: end.signal }),
      ...this.logTail(),
    };
  }
}
