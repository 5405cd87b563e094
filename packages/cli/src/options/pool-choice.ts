import type { PoolFactory } from "@coppice/engine";
import { DEFAULT_POOL, poolKind, poolKinds, poolOf, recordedPool } from "@coppice/engine/pools";
import type { RunFile } from "@coppice/engine/records";
import { UsageError } from "@coppice/engine/usage-error";
import type { WorkOptions } from "./run-options.ts";

/** The pool that `--pool` and `--workers` ask for; one like the recorded run's when they do not say. */
export async function chosenPool(
  { pool, workers, maxTasksInFlight }: Pick<WorkOptions, "pool" | "workers" | "maxTasksInFlight">,
  recorded?: RunFile,
): Promise<PoolFactory> {
  const several = workers !== "auto" && workers > 1;
  const usual =
    recorded === undefined || pool !== undefined
      ? poolKind(pool ?? DEFAULT_POOL)
      : recordedPool(recorded, "choose another with --pool");
  const kind = pool === undefined && several && usual.oneAtATime === true ? poolKind(DEFAULT_POOL) : usual;
  if (several && kind.oneAtATime === true) {
    throw new UsageError(
      `--pool ${kind.kind} evaluates one at a time: leave --workers ${workers} out, or use ${DEFAULT_POOL}`,
    );
  }
  return poolOf(kind.kind, { workers, ...(maxTasksInFlight === undefined ? {} : { maxInFlight: maxTasksInFlight }) });
}

/** What `--parallel-backend` takes: kinds of pools by what one of their workers is (`thread`). */
export function workerNames(): string[] {
  return poolKinds().flatMap(({ worker }) => worker ?? []);
}

/** The kind of pool whose workers are called that. */
export function poolOfWorkers(worker: string): string {
  return poolKinds().find((kind) => kind.worker === worker)?.kind ?? poolKind(worker).kind;
}
