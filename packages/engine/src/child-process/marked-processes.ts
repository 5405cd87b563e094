import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { pidsOnLinux } from "./process-table.ts";
import { killQuietly } from "./send-signal.ts";

/** Environment variable that every process of a run inherits; grandchildren in a session of their own are found by it. */
export const RUN_MARK = "COPPICE_RUN_TOKEN";

/** The value of {@link RUN_MARK} for a process started below this one: a run inside a run carries both marks. */
export function inheritedMark(mark: string): string {
  const outer = process.env[RUN_MARK];
  return outer === undefined || outer === "" ? mark : `${outer},${mark}`;
}

/**
 * Live processes that carry the mark, this one excepted. A mark is a run token, or `<run token>/<worker>`;
 * a run token alone also finds its workers' marks.
 *
 * Reads /proc on Linux and asks `ps -E` elsewhere; both show only what this user may see. A process that clears its
 * environment cannot be found.
 */
export function markedProcesses(mark: string): number[] {
  const pids = process.platform === "linux" ? marksOnLinux(mark) : marksFromPs(mark);
  return pids.filter((pid) => pid !== process.pid);
}

/** Ends every process that carries the mark, this one excepted; returns how many were ended. */
export function endMarkedProcesses(mark: string): number {
  return markedProcesses(mark).filter((pid) => killQuietly(pid)).length;
}

function carries(value: string, mark: string): boolean {
  return value.split(",").some((part) => part === mark || part.startsWith(`${mark}/`));
}

function marksOnLinux(mark: string): number[] {
  return pidsOnLinux().filter((pid) => carries(markOnLinux(pid) ?? "", mark));
}

function markOnLinux(pid: number): string | undefined {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
    if (!environment.includes(RUN_MARK)) return undefined;
    const prefix = `${RUN_MARK}=`;
    return environment
      .split("\0")
      .find((entry) => entry.startsWith(prefix))
      ?.slice(prefix.length);
  } catch {
    return undefined;
  }
}

function marksFromPs(mark: string): number[] {
  const ps = spawnSync("ps", ["-A", "-E", "-ww", "-o", "pid=,command="], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return marksInPs(ps.stdout ?? "", mark);
}

/** Pids of the marked lines of `ps -A -E -ww -o pid=,command=`. */
export function marksInPs(listing: string, mark: string): number[] {
  const line = new RegExp(`^\\s*(\\d+)\\s.*\\b${RUN_MARK}=(\\S+)`);
  return listing.split("\n").flatMap((text) => {
    const [, pid, value] = line.exec(text) ?? [];
    return value !== undefined && carries(value, mark) ? [Number(pid)] : [];
  });
}
