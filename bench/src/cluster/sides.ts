import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { cluster, clusterPlace, PrivateRedis } from "@coppice/cluster";
import { processes } from "@coppice/engine";
import { Queue, QueueEvents } from "bullmq";
import { Redis } from "ioredis";
import { coppiceSide, type Side, WORKERS } from "../pool/side.ts";

/** What is compared: a cluster of two workers, bare BullMQ with two, a local pool of two. */
export interface Sides {
  readonly cluster: Side;
  readonly bullmq: Side;
  readonly local: Side;
}

const COPPICE = fileURLToPath(new URL("../bin/coppice.js", import.meta.resolve("coppice")));

/** Opens every side on a Redis of its own; `work` may use them, then everything ends. */
export async function withSides<Result>(cache: string, work: (sides: Sides) => Promise<Result>): Promise<Result> {
  await using redis = await PrivateRedis.start();
  const children: ChildProcess[] = [];
  const sides: Side[] = [];
  try {
    const entry = fileURLToPath(new URL("./queue-entry.ts", import.meta.url));
    for (let i = 0; i < WORKERS; i++) {
      children.push(await started([entry, String(redis.port)], "stdout"));
      children.push(await startWorker(redis.url, cache, ["--concurrency", "1"]));
    }
    const place = clusterPlace({ redis: redis.url }, {});
    sides.push(await coppiceSide(cluster({ workers: WORKERS }, place)), bareQueue(redis.port));
    sides.push(await coppiceSide(processes({ workers: WORKERS })));
    const [ours, bullmq, local] = sides;
    return await work({ cluster: ours, bullmq, local });
  } finally {
    await Promise.all(sides.map((side) => side.close()));
    for (const child of children) child.kill("SIGKILL");
  }
}

/** Starts `coppice worker` and waits until it works. */
export function startWorker(
  redis: string,
  cache: string,
  options: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<ChildProcess> {
  const args = ["worker", "--redis", redis, "--allow-any", "--cache-dir", cache, ...options];
  return started([COPPICE, ...args], "stderr", env);
}

/** Starts a program and waits for its first line. */
async function started(
  args: readonly string[],
  stream: "stdout" | "stderr",
  env: NodeJS.ProcessEnv = {},
): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "pipe"], env: { ...process.env, ...env } });
  await once(child[stream], "data");
  child.stdout.resume();
  child.stderr.resume();
  return child;
}

function bareQueue(port: number): Side {
  const connection = new Redis(port, "127.0.0.1", { maxRetriesPerRequest: null });
  const queue = new Queue("bare", { connection });
  const events = new QueueEvents("bare", { connection });
  return {
    run: async (work, count) => {
      await events.waitUntilReady();
      const doneAt = new Float64Array(count);
      let done = 0;
      const { promise, resolve } = Promise.withResolvers<void>();
      const completed = (): void => {
        doneAt[done++] = performance.now();
        if (done === count) resolve();
      };
      events.on("completed", completed);
      const opts = { removeOnComplete: true };
      await queue.addBulk(Array.from({ length: count }, () => ({ name: "task", data: work, opts })));
      await promise;
      events.off("completed", completed);
      return doneAt;
    },
    close: async () => {
      await events.close();
      await queue.close();
      connection.disconnect();
    },
  };
}
