import { concurrent, inline, type PoolFactory, processes, type RunFile, threads, UsageError } from "@coppice/engine";
import { type PoolKind, poolKinds, type WorkOptions } from "./work-options.ts";

/** The pool that `--pool` and `--workers` ask for; `otherwise` when they do not say. */
export function poolOf(
  { pool, workers, maxTasksInFlight }: Pick<WorkOptions, "pool" | "workers" | "maxTasksInFlight">,
  otherwise: PoolKind = "threads",
): PoolFactory {
  const several = workers !== "auto" && workers > 1;
  const inFlight = maxTasksInFlight === undefined ? {} : { maxInFlight: maxTasksInFlight };
  const kind = pool ?? (several && otherwise === "inline" ? "threads" : otherwise);
  switch (kind) {
    case "inline":
      if (several) {
        throw new UsageError(`--pool inline evaluates one at a time: leave --workers ${workers} out, or use threads`);
      }
      return inline();
    case "threads":
      return threads({ workers, ...inFlight });
    case "processes":
      return processes({ workers, ...inFlight });
    case "concurrent":
      return concurrent({ workers });
    default:
      return kind satisfies never;
  }
}

/** The kind of pool a run was started on. */
export function recordedPool({ pool }: RunFile): PoolKind | undefined {
  return poolKinds.find((kind) => kind === pool.kind);
}
