import type { ClusterPlace } from "./redis-address.ts";

/** What is kept under which key. Everything of a run begins with its own name, so that nothing of it can be overlooked. */
export function placeNames({ prefix, queue }: ClusterPlace) {
  const key = (name: string): string => `${prefix}:${queue}.${name}`;
  return {
    /** Ids of the workers that have said hello; each has a key that lives only as long as they do. */
    workers: key("workers"),
    worker: (id: string): string => key(`worker.${id}`),
    /** Ids of the runs that have been announced. */
    runs: key("runs"),
    run: (run: string): RunNames => ({
      queue: `${queue}.${run}`,
      orders: `${queue}.${run}.orders`,
      description: key(`${run}.description`),
      alive: key(`${run}.alive`),
      blobs: key(`${run}.blobs`),
      blob: (hash: string): string => key(`${run}.blob.${hash}`),
      events: `${prefix}:${queue}.${run}:events`,
      orderEvents: `${prefix}:${queue}.${run}.orders:events`,
    }),
  };
}

export interface RunNames {
  /** Queue of its tasks. */
  readonly queue: string;
  /** Queue that has no jobs, only events: what the coordinator orders. */
  readonly orders: string;
  readonly description: string;
  /** Expires when the coordinator is gone. */
  readonly alive: string;
  /** Hashes of everything that went by reference. */
  readonly blobs: string;
  readonly blob: (hash: string) => string;
  readonly events: string;
  readonly orderEvents: string;
}
