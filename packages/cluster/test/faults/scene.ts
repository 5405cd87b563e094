import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { inline, type PoolFactory, type Run, start } from "@coppice/engine";
import { Redis } from "ioredis";
import { cluster, clusterPlace } from "../../src/index.ts";
import { RedisServer } from "../redis-server.ts";
import { Squares } from "../squares.ts";
import { Wire } from "../wire.ts";
import { TestWorker } from "../workers.ts";

const TASKS = 80;
const LONGEST_MS = 60;
/** Short, so that a test need not wait long for what others must believe. */
export const PATIENCE_SECONDS = 2;
const EVALUATOR = new URL("../evaluators/delayed-square.ts", import.meta.url);

/** A run as it ended. */
export interface Ended {
  readonly digest: string;
  /** Asks in the order they were told. */
  readonly told: readonly number[];
  /** Outcomes in the journal. */
  readonly written: number;
}

/** A cluster on this machine: a Redis, a wire to it for the coordinator, two workers. */
export class Scene {
  readonly redis: RedisServer;
  readonly coordinatorsWire: Wire;
  readonly workersWire: Wire;
  readonly workers: TestWorker[] = [];
  readonly #directory = mkdtempSync(join(tmpdir(), "coppice-scene-"));
  #runs = 0;

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

  async addWorker(env: NodeJS.ProcessEnv = {}): Promise<TestWorker> {
    const worker = await TestWorker.start(this.workersWire.url, {
      env: { COPPICE_PATIENCE: String(PATIENCE_SECONDS), ...env },
    });
    this.workers.push(worker);
    return worker;
  }

  /** The digest that every run must have. */
  async reference(): Promise<string> {
    return (await this.#start(inline(), "reference").then(({ ended }) => ended)).digest;
  }

  /** Starts a run on the cluster, in this process. */
  async begin(name = `run-${this.#runs++}`): Promise<{ readonly run: Run<number>; readonly ended: Promise<Ended> }> {
    const environment = { COPPICE_REDIS: this.coordinatorsWire.url, COPPICE_PATIENCE: String(PATIENCE_SECONDS) };
    return this.#start(cluster({ workers: 2 }, clusterPlace({}, environment)), name);
  }

  async #start(
    pool: PoolFactory,
    name: string,
  ): Promise<{ readonly run: Run<number>; readonly ended: Promise<Ended> }> {
    const directory = join(this.#directory, name);
    const search = new Squares(TASKS);
    const context = { longestMs: pool.kind === "inline" ? 0 : LONGEST_MS };
    const options = { search, evaluator: EVALUATOR, context, lookahead: 16, pool, journal: { directory } };
    const run = await start<number, number, number>(options);
    const ended = run.finished.then(({ digest }) => ({ digest, told: search.told, written: this.written(name) }));
    return { run, ended };
  }

  /** How many outcomes a run's journal has. */
  written(name: string): number {
    const journal = readFileSync(join(this.#directory, name, "journal.ndjson"), "utf8");
    return journal.match(/"type":"completed"/g)?.length ?? 0;
  }

  /** Starts or resumes a run in a process of its own. */
  coordinator(name: string, how: "new" | "resume") {
    const program = fileURLToPath(new URL("../coordinator-program.ts", import.meta.url));
    const args = [program, join(this.#directory, name), how, String(TASKS), String(LONGEST_MS)];
    const env = { ...process.env, COPPICE_REDIS: this.redis.url, COPPICE_PATIENCE: String(PATIENCE_SECONDS) };
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], env });
    const printed = text(child.stdout);
    const exit = once(child, "exit");
    return { child, exit, printed };
  }

  /** Waits until a run has told so many outcomes. */
  async told(run: Run<number>, count: number): Promise<void> {
    await new Promise<void>((resolve) => {
      run.subscribe((event) => {
        if ((event.type === "told" && event.told >= count) || event.type === "finished") resolve();
      });
    });
  }

  /** Processes of runs that are still there, once there has been time to end. */
  async left(): Promise<number> {
    for (let tries = 0; tries < 200; tries++) {
      const working = this.workers.flatMap(({ child }) => (child.pid === undefined ? [] : below(child.pid)));
      if (working.length === 0) return 0;
      await sleep(100);
    }
    return 1;
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

/** Processes whose parent this is. */
function below(parent: number): number[] {
  const tasks = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8");
  return tasks.split(" ").filter(Boolean).map(Number);
}
