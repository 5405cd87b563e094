import { UsageError } from "@coppice/engine/usage-error";
import { Queue } from "bullmq";
import type { Redis } from "ioredis";
import { PROTOCOL, type WorkerCard } from "../protocol.ts";
import { connection } from "./connect.ts";
import type { ClusterPlace } from "./redis-address.ts";
import { placeNames } from "./redis-keys.ts";

/** Who is there, and what waits for them. */
export interface Roll {
  readonly workers: readonly WorkerCard[];
  /** Runs that have been announced. */
  readonly runs: readonly string[];
  /** Places in runs that nobody has taken yet: what an autoscaler looks at. */
  readonly seatsWaiting: number;
}

/** Asks a cluster who is there. */
export async function callRoll(place: ClusterPlace): Promise<Roll> {
  const redis = connection(place);
  const queue = new Queue(place.queue, { connection: redis, prefix: place.prefix, skipMetasUpdate: true });
  queue.on("error", () => {});
  try {
    const [workers, runs] = await Promise.all([cards(redis, place), redis.smembers(placeNames(place).runs)]);
    const { waiting = 0, delayed = 0 } = await queue.getJobCounts("waiting", "delayed");
    return { workers, runs: runs.sort(), seatsWaiting: waiting + delayed };
  } finally {
    await queue.close();
    redis.disconnect();
  }
}

/** How many tasks all workers together may have at once; those of another version are named, never worked with. */
export async function placesForWork(place: ClusterPlace): Promise<number> {
  const { workers } = await callRoll(place);
  const others = workers.filter(({ protocol }) => protocol !== PROTOCOL);
  if (others.length > 0) {
    const [{ protocol, host }] = others;
    throw new UsageError(
      `the prefix ${JSON.stringify(place.prefix)} is in use by another version of coppice (${host} speaks version ${protocol} of the protocol, this one ${PROTOCOL}): ` +
        "install the same everywhere, or set COPPICE_REDIS_PREFIX to another",
    );
  }
  return workers.reduce((sum, { concurrency, draining }) => sum + (draining ? 0 : concurrency), 0);
}

/** Cards of the workers that are alive; those that are not are struck off. */
async function cards(redis: Redis, place: ClusterPlace): Promise<WorkerCard[]> {
  const names = placeNames(place);
  const ids = await redis.smembers(names.workers);
  if (ids.length === 0) return [];
  const texts = await redis.mget(...ids.map((id) => names.worker(id)));
  const dead = ids.filter((_, i) => texts[i] === null);
  if (dead.length > 0) await redis.srem(names.workers, ...dead);
  return texts
    .flatMap((text) => (text === null ? [] : [JSON.parse(text) as WorkerCard]))
    .sort((a, b) => a.host.localeCompare(b.host) || a.pid - b.pid);
}
