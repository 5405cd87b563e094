import { posix } from "node:path";

/** Reads a small file; undefined when it is not there or may not be read. */
export type Read = (path: string) => string | undefined;

const ROOT = "/sys/fs/cgroup";

/**
 * Cores' worth of time that the control groups of this process allow, the strictest of all that it is in; undefined without
 * a limit. Groups nest, and in a container the path that the process is told may begin above what is mounted there.
 */
export function cpuQuota(read: Read): number | undefined {
  const quotas = (read("/proc/self/cgroup") ?? "").split("\n").flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (path === undefined) return [];
    if (controllers === "") return groupsAbove(path).map((group) => unified(read, ROOT + group));
    if (!controllers.split(",").includes("cpu")) return [];
    return [controllers, "cpu"].flatMap((mount) =>
      groupsAbove(path).map((group) => separate(read, `${ROOT}/${mount}${group}`)),
    );
  });
  const limits = quotas.filter((quota) => quota !== undefined);
  return limits.length === 0 ? undefined : Math.min(...limits);
}

/** A group's path and those above it; of the root, the empty one. */
function groupsAbove(path: string): string[] {
  return path === "/" ? [""] : [path, ...groupsAbove(posix.dirname(path))];
}

/** Version 2: `cpu.max` holds quota and period, or "max" for none. */
function unified(read: Read, group: string): number | undefined {
  const [quota, period] = (read(`${group}/cpu.max`) ?? "").trim().split(/\s+/);
  return ratio(quota, period);
}

/** Version 1: one file each; a quota of -1 for none. */
function separate(read: Read, group: string): number | undefined {
  return ratio(read(`${group}/cpu.cfs_quota_us`), read(`${group}/cpu.cfs_period_us`));
}

function ratio(quota: string | undefined, period: string | undefined): number | undefined {
  const cores = Number(quota) / Number(period);
  return Number.isFinite(cores) && cores > 0 ? cores : undefined;
}
