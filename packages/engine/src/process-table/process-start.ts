import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * When a process started, in the platform's own terms; undefined when no such process is alive.
 *
 * A pid alone may be a later process that got the same number; pid and start time together are one process.
 * Linux: clock ticks since boot (field 22 of /proc/<pid>/stat). Elsewhere: what `ps -o lstart=` prints, to the second.
 */
export function processStart(pid: number): string | undefined {
  if (!Number.isSafeInteger(pid) || pid < 1) return undefined;
  return process.platform === "linux" ? startOnLinux(pid) : startFromPs(pid);
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

/** SIGKILL to a pid, or to a group when negative; false when there is no such process or it is not ours. */
export function killQuietly(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}

const END_WAIT_MS = 2000;
const END_POLL_MS = 5;

function startOnLinux(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined;
  }
  // The command name is in parentheses and may contain anything, so fields are counted from the last one.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state] = fields;
  // A zombie has ended; only its parent has not looked yet.
  return state === "Z" || state === "X" ? undefined : fields[19];
}

function startFromPs(pid: number): string | undefined {
  const ps = spawnSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
  });
  const [, state, start] = /^\s*(\S+)\s+(.*\S)\s*$/.exec(ps.stdout ?? "") ?? [];
  return state === undefined || state.startsWith("Z") ? undefined : start;
}
