import type { PoolFactory } from "../contract/pool.ts";
import { waitingWorkers } from "../cores/core-budget.ts";
import { Crew } from "./crew.ts";
import { type CrewOptions, crewSettings } from "./pool-options.ts";
import { startHere } from "./worker-here.ts";

/**
 * For work that waits (networks, models, other programs): many tasks at once on this process's own thread. A worker is a
 * place in line, not a core; `"auto"` is 50. No task is put behind another that may wait long. Like `inline` it cannot
 * stop a busy loop, survive a crash or catch what is printed.
 */
export function concurrent(
  options: Pick<CrewOptions, "workers" | "chunk" | "maxInFlight" | "graceMs"> = {},
): PoolFactory {
  const { workers = "auto", ...others } = options;
  const settings = {
    ...crewSettings({
      chunk: 1,
      ...others,
      workers: workers === "auto" ? waitingWorkers(Number.POSITIVE_INFINITY) : workers,
      oversubscribe: true,
    }),
    ahead: false,
  };
  const open: PoolFactory["open"] = (job, listener) => new Crew("concurrent", settings, startHere, job, listener);
  return { kind: "concurrent", workers: settings.workers, open };
}
