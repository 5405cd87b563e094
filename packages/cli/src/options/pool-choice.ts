import type { PoolFactory } from "@coppice/engine";
import { DEFAULT_POOL, poolKind, poolKinds, poolOf, recordedPool } from "@coppice/engine/pools";
import type { RunFile } from "@coppice/engine/records";
import { UsageError } from "@coppice/engine/usage-error";
import { Option } from "commander";
import type { WorkOptions } from "./run-options.ts";

/** The pool that `--pool` and `--workers` ask for; one like the recorded run's when they do not say. */
export async function chosenPool(
  flags: Pick<WorkOptions, "pool" | "workers" | "maxTasksInFlight">,
  recorded?: RunFile,
): Promise<PoolFactory> {
  const { pool, workers, maxTasksInFlight } = flags;
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
  refuseSettingsOfOthers(flags, kind.kind);
  return poolOf(kind.kind, { workers, ...(maxTasksInFlight === undefined ? {} : { maxInFlight: maxTasksInFlight }) });
}

/** What was typed for a kind of pool that is not used would be without effect. */
export function refuseSettingsOfOthers(flags: object, chosen: string): void {
  for (const { kind, settings = [] } of poolKinds()) {
    const typed = settings.map((setting) => new Option(setting.flags)).find((each) => each.attributeName() in flags);
    if (kind === chosen || typed === undefined) continue;
    throw new UsageError(`${typed.long} is for --pool ${kind}, and this run's pool is ${chosen}`);
  }
}

/** What `--parallel-backend` takes: kinds of pools by what one of their workers is (`thread`). */
export function workerNames(): string[] {
  return poolKinds().flatMap(({ worker }) => worker ?? []);
}

/** The kind of pool whose workers are called that. */
export function poolOfWorkers(worker: string): string {
  return poolKinds().find((kind) => kind.worker === worker)?.kind ?? poolKind(worker).kind;
}
