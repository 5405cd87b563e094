import { cpSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { type Ended, PATIENCE_SECONDS } from "../coordinator.ts";
import { fullCache } from "./full-cache.ts";
import type { Scene } from "./scene.ts";

export { type Ended, TASKS } from "../coordinator.ts";
export { noRedis } from "../redis-server.ts";
export { Scene } from "./scene.ts";

/** How long what is away stays away. */
export interface Outages {
  readonly redisMs: number;
  readonly wireMs: number;
}

/** Something that goes wrong with a cluster while a run is on it. */
export interface Fault {
  readonly name: string;
  /** Why it cannot happen on this system, if so. */
  readonly impossible?: () => string | undefined;
  /** Runs a run through the fault; `at` is how many outcomes have been told when it strikes. */
  readonly strike: (scene: Scene, at: number, outages: Outages) => Promise<readonly Ended[]>;
}

/** Longer than anybody believes in somebody who is silent. */
const LONG_MS = PATIENCE_SECONDS * 1000 * 2;
export const shortOutages: Outages = { redisMs: LONG_MS, wireMs: LONG_MS };
export const longOutages: Outages = { redisMs: 20_000, wireMs: 10_000 };

/** A run in this process, and what is done to it when it has told so much. */
function during(harm: (scene: Scene, outages: Outages) => Promise<void>): Fault["strike"] {
  return async (scene, at, outages) => {
    const { run, ended } = await scene.begin();
    await scene.told(run, at);
    await harm(scene, outages);
    return [await ended];
  };
}

/** Every fault we know of; each leaves a scene that works. */
export const faults: readonly Fault[] = [
  { name: "a worker is killed in a task", strike: during((scene) => scene.replaceWorker()) },
  {
    name: "the coordinator is killed and resumed",
    strike: async (scene, at) => {
      const name = scene.newName();
      const first = scene.coordinator(name, "new");
      await first.wrote(at);
      await first.kill();
      return [await scene.coordinator(name, "resume").finished()];
    },
  },
  {
    name: "Redis is killed and restarted empty",
    strike: during(async ({ redis }) => {
      await redis.kill();
      await redis.begin();
    }),
  },
  {
    name: "Redis is emptied",
    strike: during(async ({ redis }) => {
      await command(redis.url, (client) => client.flushall());
    }),
  },
  {
    name: "Redis is paused",
    strike: during(async ({ redis }, { redisMs }) => {
      process.kill(redis.pid, "SIGSTOP");
      await sleep(redisMs);
      process.kill(redis.pid, "SIGCONT");
    }),
  },
  {
    name: "the coordinator's connections are cut",
    strike: during(({ coordinatorsWire }, { wireMs }) => cut(coordinatorsWire, wireMs)),
  },
  {
    name: "the workers' connections are cut",
    strike: during(({ workersWire }, { wireMs }) => cut(workersWire, wireMs)),
  },
  {
    name: "chunks are delivered twice",
    strike: during(({ redis }) =>
      command(redis.url, async (client) => {
        // What is being worked on waits again, as if its worker had been given up too early.
        for (const key of await client.keys("coppice:work.*:active")) {
          const wait = key.replace(/active$/, "wait");
          for (const job of await client.lrange(key, 0, -1)) await client.lpush(wait, job);
          await client.zadd(key.replace(/active$/, "marker"), 0, "0");
        }
      }),
    ),
  },
  {
    name: "a worker answers after its task went to another",
    strike: during(async ({ workers: [worker] }) => {
      worker.child.kill("SIGSTOP");
      await sleep(LONG_MS);
      worker.child.kill("SIGCONT");
    }),
  },
  ...[3_600_000, -3_600_000].map((off) => ({
    name: `a worker's clock is an hour ${off > 0 ? "fast" : "slow"}`,
    strike: during((scene) => scene.replaceWorker(() => scene.addWorker({ NODE_OPTIONS: `--import ${clock(off)}` }))),
  })),
  {
    name: "two coordinators have one run id",
    strike: async (scene, at) => {
      const name = scene.newName();
      const first = scene.coordinator(name, "new");
      await first.wrote(at);
      // In one directory there is only one; in a copy of it the same run goes on a second time, beside the first.
      const second = await scene.coordinator(name, "resume").ended();
      const copy = scene.newName();
      cpSync(scene.directoryOf(name), scene.directoryOf(copy), { recursive: true });
      const third = scene.coordinator(copy, "resume");
      return [await first.finished(), await third.finished(), ...(second.digest === undefined ? [] : [second])];
    },
  },
  fullCache,
];

/** A module that changes what every way to ask for the time of day answers. */
function clock(offMs: number): string {
  const code = `const Real = Date;
globalThis.Date = class Date extends Real {
  constructor(...given) { given.length === 0 ? super(Real.now() + ${offMs}) : super(...given); }
  static now() { return Real.now() + ${offMs}; }
};`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

async function cut(wire: Scene["workersWire"], forMs: number): Promise<void> {
  wire.cut();
  await sleep(forMs);
  wire.mend();
}

async function command(url: string, work: (client: Redis) => Promise<unknown>): Promise<void> {
  const client = new Redis(url);
  await work(client);
  client.disconnect();
}
