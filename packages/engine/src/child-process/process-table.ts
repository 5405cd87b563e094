import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** A process and when it started: a later process with the same number is not taken for it. */
export interface ProcessIdentity {
  readonly pid: number;
  /** As `processStart` says it. */
  readonly start: string;
  /** The process group it is in. */
  readonly group: number;
}

interface Row extends ProcessIdentity {
  readonly parent: number;
}

/**
 * When a process started, in the platform's own terms; undefined when no such process is alive. One that has ended, and
 * whose parent has not looked yet, is not alive.
 *
 * A pid alone may be a later process that got the same number; pid and start time together are one process.
 * Linux: clock ticks since boot (field 22 of /proc/<pid>/stat). Elsewhere: what `ps -o lstart=` prints, to the second.
 */
export function processStart(pid: number): string | undefined {
  if (!Number.isSafeInteger(pid) || pid < 1) return undefined;
  return process.platform === "linux" ? rowOnLinux(pid)?.start : rowsFromPs("-p", String(pid))[0]?.start;
}

/**
 * The live processes below the given ones, in whatever group or session. One whose parent has ended belongs to the
 * system's first process and cannot be found like this: look before you end the parents.
 */
export function descendants(roots: readonly number[]): readonly ProcessIdentity[] {
  const children = new Map<number, Row[]>();
  for (const row of allRows()) {
    const siblings = children.get(row.parent);
    if (siblings === undefined) children.set(row.parent, [row]);
    else siblings.push(row);
  }
  const found = new Map<number, ProcessIdentity>();
  const below = roots.flatMap((root) => children.get(root) ?? []);
  for (let next = below.pop(); next !== undefined; next = below.pop()) {
    if (found.has(next.pid)) continue;
    found.set(next.pid, next);
    below.push(...(children.get(next.pid) ?? []));
  }
  return [...found.values()];
}

/** Whether a live process is in the group. */
export function hasMembers(group: number): boolean {
  return allRows().some((row) => row.group === group);
}

/** The numbers of the processes there are, on Linux; none when they cannot be read. */
export function pidsOnLinux(): number[] {
  let names: string[];
  try {
    names = readdirSync("/proc");
  } catch {
    return [];
  }
  return names.flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

function allRows(): readonly Row[] {
  return process.platform === "linux" ? pidsOnLinux().flatMap((pid) => rowOnLinux(pid) ?? []) : rowsFromPs("-A");
}

function rowOnLinux(pid: number): Row | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // The command name is in parentheses and may contain anything, so fields are counted from the last one.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ended = fields[0] === "Z" || fields[0] === "X";
  return ended ? undefined : { pid, parent: Number(fields[1]), group: Number(fields[2]), start: fields[19] };
}

function rowsFromPs(...which: readonly string[]): readonly Row[] {
  const ps = spawnSync("ps", [...which, "-o", "pid=,ppid=,pgid=,stat=,lstart="], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
    maxBuffer: 64 * 1024 * 1024,
  });
  return rowsInPs(ps.stdout ?? "");
}

/** Rows of `ps -o pid=,ppid=,pgid=,stat=,lstart=`, without what has ended and was not collected yet. */
export function rowsInPs(listing: string): readonly Row[] {
  return listing.split("\n").flatMap((line) => {
    const [, pid, parent, group, state, start] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*\S)\s*$/.exec(line) ?? [];
    if (start === undefined || state.startsWith("Z")) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), start }];
  });
}
