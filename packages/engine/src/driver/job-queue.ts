import type { TaskPolicy } from "../contract/task-policy.ts";

/** Work for one key, shared by every ask that wants it. */
export interface Job {
  /** The ask that made it; also its task id in the pool. */
  readonly id: number;
  readonly key: string;
  /** Encoded candidate. */
  readonly candidate: string;
  readonly policy: TaskPolicy;
  attempt: number;
  /** Unanswered asks that want it. */
  wanted: number;
  /** `submitted`: in the pool, with no worker yet. */
  state: "queued" | "backoff" | "submitted" | "running" | "aborting" | "dropped";
  retryTimer: NodeJS.Timeout | undefined;
}

/** Jobs ready to be dispatched, lowest ask first. New ones come in order; those that return are few and put in place. */
export class JobQueue {
  #fresh: Job[] = [];
  #head = 0;
  readonly #returned: Job[] = [];

  add(job: Job): void {
    this.#fresh.push(job);
  }

  /** For a job that was out already: retry, or asked again while it was being aborted. */
  putBack(job: Job): void {
    const at = this.#returned.findIndex((other) => other.id > job.id);
    this.#returned.splice(at < 0 ? this.#returned.length : at, 0, job);
  }

  next(): Job | undefined {
    this.#skipDropped();
    const fresh = this.#fresh[this.#head];
    const returned = this.#returned[0];
    if (returned !== undefined && (fresh === undefined || returned.id < fresh.id)) return this.#returned.shift();
    if (fresh === undefined) return undefined;
    this.#head++;
    if (this.#head > 1024 && this.#head * 2 > this.#fresh.length) {
      this.#fresh = this.#fresh.slice(this.#head);
      this.#head = 0;
    }
    return fresh;
  }

  clear(): void {
    this.#fresh = [];
    this.#head = 0;
    this.#returned.length = 0;
  }

  #skipDropped(): void {
    while (this.#fresh[this.#head]?.state === "dropped") this.#head++;
    while (this.#returned[0]?.state === "dropped") this.#returned.shift();
  }
}
