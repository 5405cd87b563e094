import { hasMembers, processStart } from "./process-table.ts";

/** Sends a signal to a process, or to a group when the number is negative; false when it is not there or not ours. */
export function signalQuietly(pid: number, signal: NodeJS.Signals | 0): boolean {
  return sent(pid, signal) === "sent";
}

export function killQuietly(pid: number): boolean {
  return signalQuietly(pid, "SIGKILL");
}

/** Whether another user's process has the number. */
export function isAnothers(pid: number): boolean {
  return sent(pid, 0) === "EPERM";
}

/** Whether any process of the group still runs. One that ended but was not collected yet does not count. */
export function groupAlive(group: number): boolean {
  // Some member may have changed its user: it is there, and not ours to end.
  if (sent(-group, 0) === "ESRCH") return false;
  // The signal alone cannot tell a process from one that has ended and that nobody collects.
  return process.platform !== "linux" || hasMembers(group);
}

/**
 * Ends the process with that pid and start time, and the process group it leads, and waits until it is gone.
 * False when it was not alive, is another process by now, is this process, or could not be ended.
 */
export function endProcess(pid: number, pidStart: string): boolean {
  if (pid === process.pid || processStart(pid) !== pidStart) return false;
  killQuietly(-pid);
  killQuietly(pid);
  const sleep = new Int32Array(new SharedArrayBuffer(4));
  for (let waitedMs = 0; waitedMs < END_WAIT_MS; waitedMs += END_POLL_MS) {
    if (processStart(pid) !== pidStart) return true;
    Atomics.wait(sleep, 0, 0, END_POLL_MS);
  }
  return processStart(pid) !== pidStart;
}

const END_WAIT_MS = 2000;
const END_POLL_MS = 5;

function sent(pid: number, signal: NodeJS.Signals | 0): string {
  // "No such process" is a usual answer; nobody reads where it was asked, so the trace is not made.
  const traceLimit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    process.kill(pid, signal);
    return "sent";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "";
  } finally {
    Error.stackTraceLimit = traceLimit;
  }
}
