import { UsageError } from "@coppice/engine/usage-error";
import { Redis } from "ioredis";
import { type ClusterPlace, shownAddress } from "./redis-address.ts";

/** What streams, locks and `SET … GET` need. */
const OLDEST = [6, 2] as const;
const CONNECT_MS = 10_000;
const SLOWEST_RETRY_MS = 1000;

/** A connection that comes back by itself as often as it breaks; nothing has been sent yet. */
export function connection({ url }: ClusterPlace): Redis {
  const redis = new Redis(url, {
    // Whatever was asked for is asked again when Redis is back.
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(SLOWEST_RETRY_MS, times * 50),
    connectTimeout: CONNECT_MS,
    // A connection that was cut without a word is noticed after some seconds.
    keepAlive: 5000,
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
    connectTimeout: CONNECT_MS,
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
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(whyNot(lastError ?? error, shown));
  } finally {
    redis.disconnect();
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
    return `the Redis at ${shown} does not accept this user and password: check the address in COPPICE_REDIS`;
  }
  if (message.startsWith("NOPERM")) return `this user may not work with the Redis at ${shown}: ${message}`;
  if (/SSL|TLS|certificate|self.signed/i.test(message + code)) {
    return `no TLS connection to ${shown}: ${message} (a certificate of your own: NODE_EXTRA_CA_CERTS)`;
  }
  return `there is no Redis at ${shown} (${code || message}): start one, or correct --redis`;
}
