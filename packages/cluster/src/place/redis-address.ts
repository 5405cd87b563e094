import { UsageError } from "@coppice/engine/usage-error";

/** Where a cluster meets: a Redis, and the names that keep teams and queues apart there. */
export interface ClusterPlace {
  /** May have a password in it: never printed, see {@link shownAddress}. */
  readonly url: string;
  /** First part of every key. */
  readonly prefix: string;
  /** Workers of one queue work for the runs of that queue. */
  readonly queue: string;
  /** Who has not been heard of for so long is taken for dead, coordinator or worker. */
  readonly patienceMs: number;
}

const DEFAULT_PREFIX = "coppice";
const DEFAULT_QUEUE = "work";
const DEFAULT_PATIENCE_SECONDS = 10;

/** Environment variables that say where the cluster is. The first may hold a password, and is not passed on to evaluators. */
export const clusterVariable = {
  redis: "COPPICE_REDIS",
  prefix: "COPPICE_REDIS_PREFIX",
  queue: "COPPICE_QUEUE",
  patience: "COPPICE_PATIENCE",
} as const;

const ADVICE = "write redis://host:6379 or rediss://host:6379 (TLS), in --redis or COPPICE_REDIS";
const NAME = /^[\w.-]{1,64}$/;

/** The place that options or the environment name. */
export function clusterPlace(
  given: { readonly redis?: string; readonly prefix?: string; readonly queue?: string } = {},
  environment: NodeJS.ProcessEnv = process.env,
): ClusterPlace {
  const url = given.redis ?? environment[clusterVariable.redis];
  if (url === undefined) throw new UsageError(`a cluster needs a Redis: ${ADVICE}`);
  const prefix = given.prefix ?? environment[clusterVariable.prefix] ?? DEFAULT_PREFIX;
  const queue = given.queue ?? environment[clusterVariable.queue] ?? DEFAULT_QUEUE;
  for (const [what, name] of [
    ["prefix", prefix],
    ["queue", queue],
  ]) {
    if (!NAME.test(name)) {
      throw new UsageError(
        `the ${what} ${JSON.stringify(name)} is not a name: letters, digits, ".", "-" and "_", at most 64`,
      );
    }
  }
  return { url: checkedUrl(url), prefix, queue, patienceMs: patience(environment[clusterVariable.patience]) };
}

function patience(text = String(DEFAULT_PATIENCE_SECONDS)): number {
  const seconds = Number(text);
  if (seconds >= 2 && seconds <= 600) return seconds * 1000;
  throw new UsageError(
    `${clusterVariable.patience} is ${JSON.stringify(text)}; it must be a number of seconds from 2 to 600`,
  );
}

/** Refuses a typed address that is not one, or that everybody on this machine could read a password from. */
export function withoutPassword(url: string): string {
  if (parsed(url)?.password) {
    throw new UsageError(
      `--redis has a password in it, which every user of this machine can see in the process list: put the address into ${clusterVariable.redis}`,
    );
  }
  return checkedUrl(url);
}

/** The address without user and password, for people and logs. */
export function shownAddress({ url }: Pick<ClusterPlace, "url">): string {
  const address = parsed(url);
  if (address === undefined) return "the given address";
  const database = databaseOf({ url });
  return `${address.protocol}//${address.host}${database === "0" ? "" : `/${database}`}`;
}

/** The number of the database there, as written; zero where none is. */
export function databaseOf({ url }: Pick<ClusterPlace, "url">): string {
  return parsed(url)?.pathname.slice(1) || "0";
}

/** Who asks there. */
export function userOf({ url }: Pick<ClusterPlace, "url">): string {
  return decodeURIComponent(parsed(url)?.username || "default");
}

function checkedUrl(url: string): string {
  const address = parsed(url);
  const database = /^\/?\d*$/.test(address?.pathname ?? "");
  if (address === undefined || !/^rediss?:$/.test(address.protocol) || address.hostname === "" || !database) {
    // The text itself may be a password typed into the wrong place.
    throw new UsageError(`the address of the Redis cannot be read: ${ADVICE}`);
  }
  if (![address.username, address.password].every(isEncoded)) {
    throw new UsageError(
      'the address of the Redis has a "%" in its user or password that stands for nothing: write %25',
    );
  }
  if (/[?#]/.test(url)) {
    throw new UsageError(
      'the address of the Redis has a "?" or "#" in it: it takes no options (a database: redis://host:6379/3), and in a password they are %3F and %23',
    );
  }
  return url;
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function parsed(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}
