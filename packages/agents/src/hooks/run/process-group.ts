/** Whether any process of the group is still there. */
export function groupAlive(pid: number): boolean {
  return signalGroup(pid, 0);
}

/** Sends a signal to every process of the group; false when there is none left. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    // EPERM: some member changed its user; it is there, and not ours to end.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Ends a group: TERM at once, KILL for whatever is left after `graceMs`. Resolves when nothing is left or was killed. */
export async function endGroup(pid: number, graceMs: number): Promise<void> {
  if (!signalGroup(pid, "SIGTERM")) return;
  const pauseMs = 5;
  for (let waitedMs = 0; waitedMs < graceMs; waitedMs += pauseMs) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (!groupAlive(pid)) return;
  }
  signalGroup(pid, "SIGKILL");
}
