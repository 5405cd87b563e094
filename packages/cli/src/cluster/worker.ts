import { availableParallelism } from "node:os";
import { pathToFileURL } from "node:url";
import {
  Allowed,
  BlobCache,
  checkPlace,
  clusterPlace,
  clusterVariable,
  DEFAULT_CACHE_MB,
  shownAddress,
  usualCache,
  WorkerLoop,
  withoutPassword,
} from "@coppice/cluster";
import { tell } from "../print.ts";
import type { WorkerFlags } from "./register.ts";

/** Works for whatever runs there are until it is told to end: once to finish what it is at, twice to leave it. */
export async function runWorker(flags: WorkerFlags): Promise<void> {
  if (flags.redis !== undefined) withoutPassword(flags.redis);
  const place = clusterPlace(flags);
  // Evaluators have no business in Redis.
  delete process.env[clusterVariable.redis];
  const { concurrency = availableParallelism(), pool, allow, allowAny = false, cacheMb = DEFAULT_CACHE_MB } = flags;
  const allowed = new Allowed(allow, allowAny);
  const cache = new BlobCache(flags.cacheDir ?? usualCache(), cacheMb, tell);
  await checkPlace(place);
  const bases = [import.meta.url, pathToFileURL(`${process.cwd()}/`).href];
  const worker = new WorkerLoop({ place, concurrency, pool, allowed, cache, bases, log: tell });
  // From here on: whoever reads that it works may tell it to end.
  const ended = untilToldToEnd(worker);
  if (allowAny) tell("WARNING: --allow-any: whoever can write to this Redis can run any code on this machine");
  const places = concurrency === 1 ? "1 place" : `${concurrency} places`;
  tell(`worker ${worker.id} on queue ${JSON.stringify(place.queue)} at ${shownAddress(place)}: ${places}, ${pool}`);
  await ended;
  // Where Redis is away, connections that try again would keep it alive for ever.
  process.exit();
}

function untilToldToEnd(worker: WorkerLoop): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let told = 0;
  const end = (): void => {
    told++;
    if (told === 1) tell("finishing what is under way; once more to leave it to others");
    (told === 1 ? worker.drain() : worker.leave()).then(resolve, reject);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, end);
  return promise.finally(() => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.off(signal, end);
  });
}
