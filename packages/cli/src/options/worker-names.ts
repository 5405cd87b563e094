import { poolKind, poolKinds } from "@coppice/engine/pools";

/** What `--parallel-backend` takes: kinds of pools by what one of their workers is (`thread`). */
export function workerNames(): string[] {
  return poolKinds().flatMap(({ worker }) => worker ?? []);
}

/** The kind of pool whose workers are called that. */
export function poolOfWorkers(worker: string): string {
  return poolKinds().find((kind) => kind.worker === worker)?.kind ?? poolKind(worker).kind;
}
