import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { PrivateRedis } from "@coppice/cluster";
import { Redis } from "ioredis";
import { startWorker } from "./sides.ts";

const ENTRY = fileURLToPath(new URL("./coordinator-entry.ts", import.meta.url));

export interface CoordinatorOrders {
  readonly tasks: number;
  readonly ms: number;
  readonly chunk: number | "auto";
  readonly seats: number;
  readonly directory: string;
}

/** What a coordinator says of itself; without its start and the first tenth of its tasks. */
export interface Weighed {
  readonly tasksPerSecond: number;
  /** Processor time of the whole process per task, journal included. */
  readonly cpuMicros: number;
  /** What a finished task leaves in its memory. */
  readonly heldBytesPerTask: number;
  readonly heldMb: number;
  readonly peakRssMb: number;
}

/** What a Redis says of itself. */
export interface RedisWeighed {
  readonly redisPeakMb: number;
  readonly redisEndMb: number;
  readonly redisCpuMicros: number;
}

/** A run of so many tasks with a coordinator and a Redis of its own; one worker has all the seats. */
export async function load(
  orders: Omit<CoordinatorOrders, "directory">,
  folder: string,
): Promise<Weighed & RedisWeighed> {
  await using redis = await PrivateRedis.start();
  const worker = await startWorker(redis.url, join(folder, "cache"), [
    "--concurrency",
    String(orders.seats),
    "--pool",
    "threads",
  ]);
  const client = new Redis(redis.url);
  try {
    const directory = join(folder, `load-${redis.port}`);
    const before = await cpuSeconds(client);
    const args = [ENTRY, JSON.stringify({ ...orders, directory } satisfies CoordinatorOrders)];
    const env = { ...process.env, COPPICE_REDIS: redis.url };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    const redisCpuMicros = (((await cpuSeconds(client)) - before) * 1e6) / orders.tasks;
    const memory = await client.info("memory");
    const [redisPeakMb, redisEndMb] = ["used_memory_peak", "used_memory"].map((name) => said(memory, name) / 2 ** 20);
    return { ...(JSON.parse(stdout) as Weighed), redisPeakMb, redisEndMb, redisCpuMicros };
  } finally {
    client.disconnect();
    worker.kill("SIGKILL");
  }
}

async function cpuSeconds(client: Redis): Promise<number> {
  const cpu = await client.info("cpu");
  return said(cpu, "used_cpu_user") + said(cpu, "used_cpu_sys");
}

/** A number in what INFO says. */
function said(info: string, name: string): number {
  return Number(new RegExp(`^${name}:([\\d.]+)`, "m").exec(info)?.[1]);
}
