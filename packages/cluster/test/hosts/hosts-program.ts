// A coordinator and two workers on three hosts, a Redis between them: node hosts-program.ts, where hosts can be made.
// One link is slow, one is cut and healed, then the coordinator's. Prints what came of it as JSON.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { callRoll, clusterPlace } from "../../src/index.ts";
import { Coordinator, PATIENCE_SECONDS } from "../coordinator.ts";
import { RedisServer } from "../redis-server.ts";
import { TestWorker } from "../workers.ts";
import { Host, upHere } from "./hosts.ts";

/** Longer than anybody is believed in who is silent. */
const CUT_MS = PATIENCE_SECONDS * 2000;

const folder = mkdtempSync(join(tmpdir(), "coppice-hosts-"));
upHere();
const redis = await RedisServer.start(["--bind", "0.0.0.0", "--protected-mode", "no"]);
const [desk, barn, mill] = ["desk", "barn", "mill"].map((name, number) => new Host(name, number, folder));
const workers: TestWorker[] = [];
try {
  for (const host of [barn, mill]) {
    const env = { ...host.environment, COPPICE_PATIENCE: String(PATIENCE_SECONDS) };
    workers.push(await TestWorker.start(host.redis(redis.port), { env, launcher: host.launcher }));
  }
  const slowed = barn.slow();
  const directory = join(folder, "run");
  const env = { ...desk.environment, COPPICE_REDIS: desk.redis(redis.port) };
  const run = new Coordinator(directory, "new", env, desk.launcher);
  await run.wrote(15);
  const { workers: cards } = await callRoll(clusterPlace({ redis: redis.url }, {}));
  // Outcomes written while a link was cut.
  const heard: number[] = [];
  for (const host of [mill, desk]) {
    host.cut();
    await sleep(CUT_MS / 4);
    const before = run.written;
    await sleep((CUT_MS * 3) / 4);
    heard.push(run.written - before);
    host.heal();
    // Something happens after each.
    await run.wrote(before + 10);
  }
  const ended = await run.finished();
  const { keys, children } = await leftovers();
  const hosts = cards.map(({ host }) => host);
  process.stdout.write(JSON.stringify({ ...ended, slowed, hosts, heardWithoutDesk: heard[1], keys, children }));
} finally {
  for (const worker of workers) await worker.kill();
  await redis[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}

/** What is left when there has been time to end. */
async function leftovers(): Promise<{ readonly keys: readonly string[]; readonly children: number }> {
  const client = new Redis(redis.url);
  try {
    for (let tries = 0; ; tries++) {
      const keys = (await client.keys("*")).filter((key) => !/^coppice:work(:|\.worker)/.test(key));
      const children = workers.reduce((sum, worker) => sum + worker.below().size, 0);
      if ((keys.length === 0 && children === 0) || tries === 200) return { keys, children };
      await sleep(100);
    }
  } finally {
    client.disconnect();
  }
}
