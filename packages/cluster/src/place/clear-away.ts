import { Queue } from "bullmq";
import type { Redis } from "ioredis";
import type { ClusterPlace } from "./redis-address.ts";
import { placeNames } from "./redis-keys.ts";

const MOST_TRIES = 20;

/**
 * Removes everything a run has in Redis. Nobody may work for it any more. Others may do the same at once, and whoever does may
 * be ended: the run is on the list until all is gone, also if it was taken off meanwhile, so that the next sweep goes on.
 */
export async function removeRun(redis: Redis, place: ClusterPlace, run: string): Promise<void> {
  const { runs, run: namesOf } = placeNames(place);
  const names = namesOf(run);
  await redis.sadd(runs, run);
  const queue = new Queue(names.queue, { connection: redis, prefix: place.prefix, skipMetasUpdate: true });
  queue.on("error", () => {});
  for (let tries = 1; ; tries++) {
    try {
      await queue.obliterate({ force: true });
      break;
    } catch (error) {
      // Somebody else has removed it between the two steps of this.
      if (tries === MOST_TRIES || !/non-paused/.test(String(error))) throw error;
    }
  }
  await queue.close();
  const hashes = await redis.smembers(names.blobs);
  const blobs = hashes.map((hash) => names.blob(hash));
  await redis.unlink(names.description, names.alive, names.blobs, names.events, names.orderEvents, ...blobs);
  await redis.srem(runs, run);
}

/** Removes what is left of runs whose coordinators have died. Returns their ids. */
export async function sweepRuns(redis: Redis, place: ClusterPlace): Promise<string[]> {
  const names = placeNames(place);
  const dead: string[] = [];
  for (const run of await redis.smembers(names.runs)) {
    if ((await redis.exists(names.run(run).alive)) === 1) continue;
    await removeRun(redis, place, run);
    dead.push(run);
  }
  return dead;
}
