import type { Job } from "./job-queue.ts";

/** Counts the jobs of each group that are out, and holds back those whose group is full. */
export class GroupLimits {
  readonly #out = new Map<string, number>();
  readonly #held = new Map<string, Job[]>();

  /** True when the job may go out now, and then it counts; otherwise it is held. */
  enter(job: Job): boolean {
    const { group } = job.policy;
    if (group === undefined) return true;
    const out = this.#out.get(group.name) ?? 0;
    if (out < group.limit) {
      this.#out.set(group.name, out + 1);
      return true;
    }
    this.#hold(job, group.name);
    return false;
  }

  /** A job that was out has returned: gives one that may go out in its place. */
  leave(job: Job): Job | undefined {
    const { group } = job.policy;
    if (group === undefined) return undefined;
    this.#out.set(group.name, (this.#out.get(group.name) ?? 1) - 1);
    return this.next(job);
  }

  /** The lowest ask that is held of the job's group; it is no longer held. */
  next(job: Job): Job | undefined {
    const held = this.#held.get(job.policy.group?.name ?? "");
    for (let first = held?.shift(); first !== undefined; first = held?.shift()) {
      if (first.state !== "dropped") return first;
    }
    return undefined;
  }

  /** Forgets what is held; what is out still counts. */
  clear(): void {
    this.#held.clear();
  }

  #hold(job: Job, name: string): void {
    const held = this.#held.get(name) ?? [];
    this.#held.set(name, held);
    let at = held.length;
    while (at > 0 && held[at - 1].id > job.id) at--;
    held.splice(at, 0, job);
  }
}
