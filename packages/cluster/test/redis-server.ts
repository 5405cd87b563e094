import { noRedisHere } from "../src/index.ts";

export { PrivateRedis as RedisServer } from "../src/index.ts";

/** Why tests of a cluster cannot run here; undefined where they can. */
export const noRedis: string | undefined = noRedisHere();
