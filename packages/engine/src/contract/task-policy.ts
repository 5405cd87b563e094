/** How one task is worked on; what is absent is as the run says. Belongs to the session: a resumed run may have another. */
export interface TaskPolicy {
  readonly retries?: number;
  /** 0 for none. */
  readonly timeoutMs?: number;
  readonly onFailure?: "continue" | "stop";
  /** Failures of these types stop the run at once, count as no outcome and take no retry: the machine's troubles, not the task's. */
  readonly stopOn?: readonly string[];
  /** Failures of these types are the task's answer: trying again would be asking for another, so they take no retry. */
  readonly finalOn?: readonly string[];
  /** At most `limit` tasks of the same group are out at once; others go ahead of those that wait for their group. */
  readonly group?: TaskGroup;
}

/** Tasks that share a limit: at most so many of them run at once. */
export interface TaskGroup {
  readonly name: string;
  readonly limit: number;
}
