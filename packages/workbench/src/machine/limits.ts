import { availableParallelism, cpus, totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";
import { availableCores, openFileLimit, workersWithin } from "@coppice/engine/cores";
import { textIfThere } from "@coppice/engine/files";
import { cpuQuota } from "./cgroup.ts";
import { bytesText, type Finding } from "./finding.ts";

/** How many cores there are, how many this process may use and why, and how many workers a run has by default. */
export function coresFinding(): Finding {
  const inMachine = cpus().length;
  const quota = cpuQuota(textIfThere);
  const affinity = /^Cpus_allowed_list:\s*(\S+)$/m.exec(textIfThere("/proc/self/status") ?? "")?.[1];
  const usable = availableParallelism();
  const workers = availableCores();
  const facts = { inMachine, usable, quota: quota ?? null, affinity: affinity ?? null, workers };
  const why = [
    ...(quota === undefined ? [] : [`the container's quota is ${Number(quota.toFixed(2))}`]),
    ...(usable < inMachine && affinity !== undefined ? [`CPUs ${affinity} are allowed`] : []),
    ...(workers === usable ? [] : ["COPPICE_CORE_SHARE says so"]),
  ];
  const says = `${workers} of ${inMachine}${why.length === 0 ? "" : ` (${why.join(", ")})`}: a run has ${workers} worker${workers === 1 ? "" : "s"} unless told otherwise`;
  const whole = { name: "cores", needed: false, says, facts } as const;
  if (quota !== undefined && workers > Math.ceil(quota)) {
    const advice = `the quota is less than a core per worker: use --workers ${Math.max(1, Math.floor(quota))}`;
    return { ...whole, state: "note", advice };
  }
  if (workers > 1) return { ...whole, state: "good" };
  return { ...whole, state: "note", advice: "runs work, one evaluation at a time; more cores make them faster" };
}

/** Below this a handful of workers do not fit. */
const LITTLE_MEMORY = 512 * 2 ** 20;

/** How much memory this process may have, and how large one heap of JavaScript gets. */
export function memoryFinding(): Finding {
  const inMachine = totalmem();
  const constrained = process.constrainedMemory();
  // Without a limit the kernel's largest number is there.
  const limit = constrained > 0 && constrained < inMachine ? constrained : undefined;
  const available = process.availableMemory();
  const heapLimit = getHeapStatistics().heap_size_limit;
  const most = limit === undefined ? bytesText(inMachine) : `${bytesText(limit)} (limit of the container)`;
  const says = `${most}, ${bytesText(available)} available; a heap of JavaScript may have ${bytesText(heapLimit)}`;
  const whole = {
    name: "memory",
    needed: false,
    says,
    facts: { inMachine, limit: limit ?? null, available, heapLimit },
  };
  if (available >= LITTLE_MEMORY) return { ...whole, state: "good" };
  return { ...whole, state: "note", advice: "use few workers: each takes some 50 MB before your evaluator takes any" };
}

/** How many files may be open at once, and how many workers that is enough for. */
export function descriptorFinding(): Finding {
  const limit = openFileLimit();
  const name = "open files";
  if (limit === undefined) return { name, state: "good", needed: true, says: "no limit", facts: { limit: null } };
  const workers = workersWithin(limit);
  const whole = {
    name,
    needed: true,
    says: `at most ${limit}: enough for ${workers} workers`,
    facts: { limit, workers },
  };
  if (workers >= availableCores()) return { ...whole, state: "good" };
  return { ...whole, state: workers === 0 ? "broken" : "note", advice: "raise the limit: ulimit -n 4096" };
}
