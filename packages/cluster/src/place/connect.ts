import { UsageError } from "@coppice/engine/usage-error";
import { Redis } from "ioredis";
import { type ClusterPlace, databaseOf, shownAddress, userOf } from "./redis-address.ts";
import { placeNames } from "./redis-keys.ts";

/** What streams, locks and `SET … GET` need. */
const OLDEST = [6, 2] as const;
const CONNECT_MS = 10_000;
/** A Redis without TLS waits in silence for the end of what it takes for a command. */
const CONNECT_TLS_MS = 5000;
const SLOWEST_RETRY_MS = 1000;

/** {@link checkPlace} has asked, and says what is wrong in words of its own; BullMQ would on each of its connections. */
const notLookedAtByBullMQ = { skipVersionCheck: true };

/** A connection that comes back by itself as often as it breaks; nothing has been sent yet. */
export function connection({ url }: ClusterPlace): Redis {
  const redis = new Redis(url, {
    // Whatever was asked for is asked again when Redis is back.
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(SLOWEST_RETRY_MS, times * 50),
    connectTimeout: CONNECT_MS,
    // A connection that was cut without a word is noticed after some seconds.
    keepAlive: 5000,
    ...notLookedAtByBullMQ,
  });
  // Without a listener a broken connection would end the process; who waits for an answer keeps waiting.
  redis.on("error", () => {});
  return redis;
}

/** Connects once and asks what this Redis is; what is wrong with it is said in one line. */
export async function checkPlace(place: ClusterPlace): Promise<void> {
  const shown = shownAddress(place);
  const redis = new Redis(place.url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: shown.startsWith("rediss:") ? CONNECT_TLS_MS : CONNECT_MS,
    enableReadyCheck: false,
  });
  let lastError: Error | undefined;
  redis.on("error", (error) => {
    lastError = error;
  });
  try {
    await redis.connect();
    await redis.ping();
    checkServer(await information(redis), shown);
    await checkDatabase(redis, place);
    await checkPrefix(redis, place);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(whyNot(lastError ?? error, shown));
  } finally {
    redis.disconnect();
  }
}

/** Asked for, because a connection whose database does not exist stays in the first one without a word. */
async function checkDatabase(redis: Redis, place: ClusterPlace): Promise<void> {
  const database = databaseOf(place);
  try {
    await redis.call("SELECT", database);
  } catch (error) {
    if (!(error instanceof Error) || !/out of range|invalid DB|not an integer/i.test(error.message)) throw error;
    throw new UsageError(
      `the Redis at ${shownAddress(place)} has no database ${database}: write one that it has, or none`,
    );
  }
}

/** Runs a script that changes nothing where everything of this place is kept: what a worker and a run need every moment. */
async function checkPrefix(redis: Redis, place: ClusterPlace): Promise<void> {
  try {
    await redis.eval('return redis.call("EXISTS", KEYS[1])', 1, placeNames(place).workers);
  } catch (error) {
    if (!(error instanceof Error) || !/^NOPERM.*\bkeys?\b/.test(error.message)) throw error;
    throw new UsageError(
      `the user ${JSON.stringify(userOf(place))} of the Redis at ${shownAddress(place)} may not use the prefix ${JSON.stringify(place.prefix)}: set COPPICE_REDIS_PREFIX to its own`,
    );
  }
}

/** What INFO says, where it may be asked. */
async function information(redis: Redis): Promise<ReadonlyMap<string, string>> {
  let text: string;
  try {
    text = await redis.info();
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("NOPERM")) return new Map();
    throw error;
  }
  return new Map(
    text.split("\r\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]),
  );
}

function checkServer(info: ReadonlyMap<string, string>, shown: string): void {
  // Valkey says 7.2 here, for those who ask what Redis it is like.
  const version = info.get("redis_version");
  if (version !== undefined) {
    const [major, minor] = version.split(".").map(Number);
    if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
      throw new UsageError(`the Redis at ${shown} is version ${version}; a cluster needs ${OLDEST.join(".")} or later`);
    }
  }
  const policy = info.get("maxmemory_policy") ?? "noeviction";
  if (policy !== "noeviction" && info.get("maxmemory") !== "0") {
    throw new UsageError(
      `the Redis at ${shown} throws keys away when its memory is full (maxmemory-policy ${policy}), tasks among them: ` +
        "set maxmemory-policy noeviction",
    );
  }
  if (info.get("cluster_enabled") === "1") {
    throw new UsageError(
      `the Redis at ${shown} is one of a Redis Cluster; use a single one (with a replica if you like)`,
    );
  }
}

function whyNot(error: unknown, shown: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^(WRONGPASS|NOAUTH|ERR AUTH)|invalid (username|password)/i.test(message)) {
    return `the Redis at ${shown} does not accept this user and password: check the address in COPPICE_REDIS (or --redis)`;
  }
  if (message.startsWith("NOPERM")) return `this user may not work with the Redis at ${shown}: ${message}`;
  if (shown.startsWith("rediss:") && code === "ETIMEDOUT") {
    return `no TLS connection to ${shown} within ${CONNECT_TLS_MS / 1000} s: does it speak TLS? (without: redis://)`;
  }
  if (/SSL|TLS|certificate|self.signed/i.test(message + code)) {
    return `no TLS connection to ${shown}: ${message} (a certificate of your own: NODE_EXTRA_CA_CERTS)`;
  }
  return `there is no Redis at ${shown} (${code || message}): start one, or correct the address in --redis or COPPICE_REDIS`;
}
