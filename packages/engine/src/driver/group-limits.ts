import type { TaskPolicy } from "../contract/task-policy.ts";
import { TaskQueue } from "../pools/task-queue.ts";

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

/** The lowest ask that waits there and is still wanted. */
export function nextWanted(queue: TaskQueue<Job> | undefined): Job | undefined {
  let job = queue?.next();
  while (job?.state === "dropped") job = queue?.next();
  return job;
}

/** Counts the jobs of each group that are out, and holds back those whose group is full. */
export class GroupLimits {
  readonly #out = new Map<string, number>();
  readonly #held = new Map<string, TaskQueue<Job>>();

  /** True when the job may go out now, and then it counts; otherwise it is held. */
  enter(job: Job): boolean {
    const { group } = job.policy;
    if (group === undefined) return true;
    const out = this.#out.get(group.name) ?? 0;
    if (out < group.limit) {
      this.#out.set(group.name, out + 1);
      return true;
    }
    const held = this.#held.get(group.name) ?? new TaskQueue();
    this.#held.set(group.name, held);
    held.add(job);
    return false;
  }

  /** A job that was out has returned: one of its group may go out in its place. */
  leave(job: Job): Job | undefined {
    const { group } = job.policy;
    if (group === undefined) return undefined;
    this.#out.set(group.name, (this.#out.get(group.name) ?? 1) - 1);
    return this.next(job);
  }

  /** The lowest ask that is held of the job's group; it is no longer held. */
  next(job: Job): Job | undefined {
    return nextWanted(this.#held.get(job.policy.group?.name ?? ""));
  }

  /** Forgets what is held; what is out still counts. */
  clear(): void {
    this.#held.clear();
  }
}
