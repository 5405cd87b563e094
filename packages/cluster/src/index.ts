// For those who work on a cluster: the pool, the worker, and who is there.
export { checkPlace } from "./place/connect.ts";
export { noRedisHere, PrivateRedis } from "./place/private-redis.ts";
export {
  type ClusterPlace,
  clusterPlace,
  clusterVariable,
  shownAddress,
  withoutPassword,
} from "./place/redis-address.ts";
export { callRoll, placesForWork, type Roll } from "./place/roll.ts";
export { cluster } from "./pool/cluster-pool.ts";
export { Allowed } from "./worker/allow.ts";
export { BlobCache, DEFAULT_CACHE_MB, usualCache } from "./worker/blob-cache.ts";
export { WorkerLoop, type WorkerOptions } from "./worker/worker-loop.ts";
