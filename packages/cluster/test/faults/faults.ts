import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { type Ended, PATIENCE_SECONDS, type Scene } from "./scene.ts";

export { noRedis } from "../redis-server.ts";
export { type Ended, Scene } from "./scene.ts";

/** Something that goes wrong with a cluster while a run is on it. */
export interface Fault {
  readonly name: string;
  /** Runs a run through the fault; `at` is how many outcomes have been told when it strikes. */
  readonly strike: (scene: Scene, at: number) => Promise<readonly Ended[]>;
}

/** Longer than anybody believes in somebody who is silent. */
const LONG_MS = PATIENCE_SECONDS * 1000 * 2;

/** A run in this process, and what is done to it when it has told so much. */
function during(harm: (scene: Scene) => Promise<void>): Fault["strike"] {
  return async (scene, at) => {
    const { run, ended } = await scene.begin();
    await scene.told(run, at);
    await harm(scene);
    return [await ended];
  };
}

/** Every fault we know of; each leaves a scene that works. */
export const faults: readonly Fault[] = [
  {
    name: "a worker is killed in a task",
    strike: during(async (scene) => {
      const [worker] = scene.workers.splice(0, 1);
      await worker.kill();
      await scene.addWorker();
    }),
  },
  {
    name: "the coordinator is killed and resumed",
    strike: async (scene, at) => {
      const name = `killed-${performance.now()}`;
      const first = scene.coordinator(name, "new");
      while (first.child.exitCode === null && writtenSoFar(scene, name) < at) await sleep(20);
      first.child.kill("SIGKILL");
      await first.exit;
      const second = scene.coordinator(name, "resume");
      const digest = (await second.printed).trim() || (await first.printed).trim();
      await second.exit;
      const written = scene.written(name);
      return [{ digest, told: Array.from({ length: written }, (_, i) => i), written }];
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
    strike: during(async ({ redis }) => {
      process.kill(redis.pid, "SIGSTOP");
      await sleep(LONG_MS);
      process.kill(redis.pid, "SIGCONT");
    }),
  },
  {
    name: "the coordinator's connections are cut",
    strike: during(({ coordinatorsWire }) => cutForAWhile(coordinatorsWire)),
  },
  {
    name: "the workers' connections are cut",
    strike: during(({ workersWire }) => cutForAWhile(workersWire)),
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
  {
    name: "a worker's clock is an hour off",
    strike: async (scene) => {
      const [worker] = scene.workers.splice(0, 1);
      await worker.kill();
      const clock = "const now = Date.now; Date.now = () => now() + 3_600_000";
      await scene.addWorker({ NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(clock)}` });
      return [await (await scene.begin()).ended];
    },
  },
  {
    name: "two coordinators have one run",
    strike: async (scene) => {
      const name = `twice-${performance.now()}`;
      const runs = await Promise.all([scene.begin(`${name}/a/same`), scene.begin(`${name}/b/same`)]);
      return Promise.all(runs.map(({ ended }) => ended));
    },
  },
];

function writtenSoFar(scene: Scene, name: string): number {
  try {
    return scene.written(name);
  } catch {
    return 0;
  }
}

async function cutForAWhile(wire: Scene["workersWire"]): Promise<void> {
  wire.cut();
  await sleep(LONG_MS);
  wire.mend();
}

async function command(url: string, work: (client: Redis) => Promise<unknown>): Promise<void> {
  const client = new Redis(url);
  await work(client);
  client.disconnect();
}
