/** Whether this process does nothing beside a run, the token that what it starts carries, and how many pools of threads it has. */
export const claim: { made: boolean; runToken: string | undefined; pools: number } = {
  made: false,
  runToken: undefined,
  pools: 0,
};

/**
 * Says that this process does nothing beside a run: what it starts while it has threads at work is theirs and ends with
 * them, by whatever way it left its parents, its session and its environment (Linux with `prlimit`).
 */
export function claimProcess(): void {
  claim.made = true;
}
