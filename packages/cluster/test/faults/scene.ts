import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inline, type PoolFactory, type Run, start } from "@coppice/engine";
import { processStart } from "@coppice/engine/child-process";
import { Redis } from "ioredis";
import { cluster, clusterPlace } from "../../src/index.ts";
import { Coordinator, type Ended, LONGEST_MS, PATIENCE_SECONDS, TASKS, writtenIn } from "../coordinator.ts";
import { RedisServer } from "../redis-server.ts";
import { Squares } from "../squares.ts";
import { Wire } from "../wire.ts";
import { TestWorker } from "../workers.ts";

const EVALUATOR = new URL("../evaluators/delayed-square.ts", import.meta.url);

/** What a run has that is not as usual. */
interface Unusual {
  readonly evaluator?: URL;
  readonly shared?: Readonly<Record<string, SharedArrayBuffer>>;
}

/** A cluster on this machine: a Redis, a wire to it for the coordinator, two workers. */
export class Scene {
  readonly redis: RedisServer;
  readonly coordinatorsWire: Wire;
  readonly workersWire: Wire;
  readonly workers: TestWorker[] = [];
  readonly #directory = mkdtempSync(join(tmpdir(), "coppice-scene-"));
  /** Of workers that were killed: number and start. */
  readonly #orphans = new Map<number, string>();
  #runs = 0;
  #reference: Promise<string> | undefined;

  private constructor(redis: RedisServer, wires: readonly [Wire, Wire]) {
    this.redis = redis;
    [this.coordinatorsWire, this.workersWire] = wires;
  }

  static async begin(): Promise<Scene> {
    const redis = await RedisServer.start();
    const scene = new Scene(redis, [await Wire.to(redis.port), await Wire.to(redis.port)]);
    await Promise.all([scene.addWorker(), scene.addWorker()]);
    return scene;
  }

  async addWorker(env: NodeJS.ProcessEnv = {}, launcher: readonly string[] = []): Promise<TestWorker> {
    const worker = await TestWorker.start(this.workersWire.url, {
      env: { COPPICE_PATIENCE: String(PATIENCE_SECONDS), ...env },
      launcher,
    });
    this.workers.push(worker);
    return worker;
  }

  /** Kills a worker; `start` has another one take its place. */
  async replaceWorker(start: () => Promise<unknown> = () => this.addWorker()): Promise<void> {
    const [worker] = this.workers.splice(0, 1);
    for (const [pid, started] of worker.below()) this.#orphans.set(pid, started);
    await worker.kill();
    await start();
  }

  /** The digest that every run must have. */
  reference(): Promise<string> {
    this.#reference ??= this.#start(inline(), "reference").then(async ({ ended }) => (await ended).digest);
    return this.#reference;
  }

  /** Starts a run on the cluster, in this process. */
  async begin(unusual: Unusual = {}): Promise<{ readonly run: Run<number>; readonly ended: Promise<Ended> }> {
    const environment = { COPPICE_REDIS: this.coordinatorsWire.url, COPPICE_PATIENCE: String(PATIENCE_SECONDS) };
    return this.#start(cluster({ workers: 2 }, clusterPlace({}, environment)), this.newName(), unusual);
  }

  /** A name no run here has had. */
  newName(): string {
    return `run-${this.#runs++}`;
  }

  async #start(
    pool: PoolFactory,
    name: string,
    { evaluator = EVALUATOR, shared = {} }: Unusual = {},
  ): Promise<{ readonly run: Run<number>; readonly ended: Promise<Ended> }> {
    const directory = this.directoryOf(name);
    const search = new Squares(TASKS);
    const context = { longestMs: pool.kind === "inline" ? 0 : LONGEST_MS };
    const options = { search, evaluator, shared, context, lookahead: 16, pool, journal: { directory } };
    const run = await start<number, number, number>(options);
    const ended = run.finished.then(({ digest }) => ({ digest, told: search.told, written: this.written(name) }));
    return { run, ended };
  }

  directoryOf(name: string): string {
    return join(this.#directory, name);
  }

  /** How many outcomes a run's journal has; none before there is one. */
  written(name: string): number {
    return writtenIn(this.directoryOf(name));
  }

  /** Starts or resumes a run in a process of its own. */
  coordinator(name: string, how: "new" | "resume"): Coordinator {
    return new Coordinator(this.directoryOf(name), how, { COPPICE_REDIS: this.redis.url });
  }

  /** Waits until a run has told so many outcomes. */
  async told(run: Run<number>, count: number): Promise<void> {
    await new Promise<void>((resolve) => {
      run.subscribe((event) => {
        if ((event.type === "told" && event.told >= count) || event.type === "finished") resolve();
      });
    });
  }

  /** How many processes of runs are still there, once there has been time to end. */
  async left(): Promise<number> {
    for (let tries = 0; ; tries++) {
      const working = this.workers.flatMap((worker) => [...worker.below()]);
      const alive = [...this.#orphans, ...working].filter(([pid, started]) => processStart(pid) === started);
      if (alive.length === 0 || tries === 200) return alive.length;
      await sleep(100);
    }
  }

  /** Keys in Redis that belong to no worker and not to the common queue. */
  async keysLeft(): Promise<string[]> {
    const redis = new Redis(this.redis.url);
    try {
      for (let tries = 0; ; tries++) {
        const keys = await redis.keys("*");
        const left = keys.filter((key) => !/^coppice:work(:|\.worker)/.test(key));
        if (left.length === 0 || tries === 200) return left;
        await sleep(100);
      }
    } finally {
      redis.disconnect();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { child } of this.workers) child.kill("SIGCONT");
    await Promise.all(this.workers.map((worker) => worker.kill()));
    await this.coordinatorsWire[Symbol.asyncDispose]();
    await this.workersWire[Symbol.asyncDispose]();
    await this.redis[Symbol.asyncDispose]();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
