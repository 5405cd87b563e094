import { setTimeout as sleep } from "node:timers/promises";
import { endMarkedProcesses, killQuietly, markedProcesses } from "@coppice/engine/evaluator";

/** How long a step's processes may take to end by themselves once they are told to. */
const GRACE_MS = 1000;
/** How long the killed ones may take to disappear. */
const GONE_MS = 2500;
const POLL_MS = 25;

/**
 * Ends a step's whole tree: its process group, and those that left the group but carry its mark. First asked, then
 * killed. Resolves when none is left, at most four seconds later.
 */
export async function endTree(pid: number, mark: string): Promise<void> {
  signalGroup(pid, "SIGTERM");
  for (const each of markedProcesses(mark)) signal(each, "SIGTERM");
  await until(() => !signalGroup(pid, 0) && markedProcesses(mark).length === 0, GRACE_MS);
  killQuietly(-pid);
  endMarkedProcesses(mark);
  await until(() => markedProcesses(mark).length === 0, GONE_MS);
}

/** Ends what a step left behind when it ended by itself; gives how many there were outside its group. */
export async function endRemains(pid: number, mark: string): Promise<number> {
  const inGroup = signalGroup(pid, 0);
  const left = markedProcesses(mark).length;
  if (inGroup || left > 0) await endTree(pid, mark);
  return left;
}

async function until(done: () => boolean, limitMs: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < limitMs && !done(); waitedMs += POLL_MS) await sleep(POLL_MS);
}

function signalGroup(pid: number, name: NodeJS.Signals | 0): boolean {
  return signal(-pid, name);
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
