import type { PoolFactory } from "../contract/pool.ts";
import { Crew } from "./crew.ts";
import { keepHotLoopsFast } from "./hot-loops.ts";
import { type CrewOptions, crewSettings } from "./pool-options.ts";
import { startHere } from "./worker-here.ts";

/**
 * The reference pool: one task at a time, in this process, everything encoded and decoded as everywhere else.
 * It cannot stop a busy loop (a timeout is noticed when the loop ends), survive a crash or catch what is printed.
 */
export function inline(options: Pick<CrewOptions, "chunk" | "ahead" | "maxInFlight" | "graceMs"> = {}): PoolFactory {
  const settings = crewSettings({ ...options, workers: 1 });
  const open: PoolFactory["open"] = (job, listener) => {
    keepHotLoopsFast();
    return new Crew("inline", settings, startHere, job, listener);
  };
  return { kind: "inline", workers: settings.workers, open };
}
