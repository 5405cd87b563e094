import { readdirSync, readFileSync } from "node:fs";

/** Whether any process of the group still runs. One that ended but was not collected yet does not count. */
export function groupAlive(pid: number): boolean {
  return signalGroup(pid, 0) && (process.platform !== "linux" || hasRunningMember(pid));
}

/** Sends a signal to every process of the group; false when there is none left. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  // "No such group" is the usual answer; nobody reads where it was asked, so the trace is not made.
  const traceLimit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    // EPERM: some member changed its user; it is there, and not ours to end.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  } finally {
    Error.stackTraceLimit = traceLimit;
  }
}

/** Ends a group: TERM at once, KILL for whatever is left after `graceMs`. Resolves when nothing is left or was killed. */
export async function endGroup(pid: number, graceMs: number): Promise<void> {
  if (!signalGroup(pid, "SIGTERM")) return;
  const pauseMs = 10;
  for (let waitedMs = 0; waitedMs < graceMs; waitedMs += pauseMs) {
    if (!groupAlive(pid)) return;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  signalGroup(pid, "SIGKILL");
}

/** Looks through the process table: the signal alone cannot tell a zombie that nobody collects from a process. */
function hasRunningMember(group: number): boolean {
  return readdirSync("/proc").some((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, "latin1");
      const [state, , processGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return processGroup === String(group) && state !== "Z" && state !== "X";
    } catch {
      return false;
    }
  });
}
