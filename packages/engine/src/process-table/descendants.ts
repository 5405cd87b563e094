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
 * The live processes below the given ones, in whatever group or session. One whose parent has ended belongs to the
 * system's first process and cannot be found like this: look before you end the parents.
 */
export function descendants(roots: readonly number[]): readonly ProcessIdentity[] {
  const children = new Map<number, Row[]>();
  for (const row of process.platform === "linux" ? rowsOnLinux() : rowsFromPs()) {
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

function rowsOnLinux(): readonly Row[] {
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      // The command name is in parentheses and may contain anything, so fields are counted from the last one.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const ended = fields[0] === "Z" || fields[0] === "X";
      return ended ? [] : [{ pid, parent: Number(fields[1]), group: Number(fields[2]), start: fields[19] }];
    } catch {
      return [];
    }
  });
}

function rowsFromPs(): readonly Row[] {
  const ps = spawnSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,stat=,lstart="], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
    maxBuffer: 64 * 1024 * 1024,
  });
  return rowsInPs(ps.stdout ?? "");
}

/** Rows of `ps -A -o pid=,ppid=,pgid=,stat=,lstart=`, without what has ended and was not collected yet. */
export function rowsInPs(listing: string): readonly Row[] {
  return listing.split("\n").flatMap((line) => {
    const [, pid, parent, group, state, start] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*\S)\s*$/.exec(line) ?? [];
    if (start === undefined || state.startsWith("Z")) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), start }];
  });
}
