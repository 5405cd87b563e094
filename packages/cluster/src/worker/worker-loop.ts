import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { DelayedError, type Job, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { removeRun, sweepRuns } from "../place/clear-away.ts";
import { connection } from "../place/connect.ts";
import type { ClusterPlace } from "../place/redis-address.ts";
import { placeNames } from "../place/redis-keys.ts";
import { PROTOCOL, RUN_ID, type SeatData, type WorkerCard } from "../protocol.ts";
import { type Allowed, Refusal } from "./allow.ts";
import type { BlobCache } from "./blob-cache.ts";
import { RunVisit } from "./run-visit.ts";
import { claim, type Sitter, Sitting } from "./sitting.ts";

/** Signs of life within the patience of those who look for them. */
const BEATS = 4;
/** What saying goodbye may take when Redis does not answer: its sign of life expires by itself. */
const GOODBYE_MS = 3000;
/** When a seat that this worker refused is offered again. */
const REFUSED_MS = 2000;

/** How a machine takes part. */
export interface WorkerOptions {
  readonly place: ClusterPlace;
  readonly concurrency: number;
  /** Kind of the engine's pool that tasks run in. */
  readonly pool: string;
  readonly allowed: Allowed;
  readonly cache: BlobCache;
  readonly bases: readonly string[];
  readonly log: (line: string) => void;
}

/** A machine's part in the cluster: takes seats of whatever runs there are, as many at once as it may. */
export class WorkerLoop {
  readonly id = randomBytes(6).toString("hex");
  readonly #options: WorkerOptions;
  readonly #redis: Redis;
  readonly #seats: Worker;
  readonly #sittings = new Map<string, Sitting>();
  readonly #visits = new Map<string, { readonly visit: RunVisit; guests: number }>();
  readonly #refused = new Set<string>();
  readonly #startedMs = performance.now();
  #tasks = 0;
  #last = { tasks: 0, atMs: performance.now(), perSecond: 0 };
  #draining = false;
  #gone: Promise<void> | undefined;
  readonly #beating: NodeJS.Timeout;

  constructor(options: WorkerOptions) {
    this.#options = options;
    const { place, concurrency } = options;
    this.#redis = connection(place);
    this.#seats = new Worker(place.queue, (job, token) => this.#sit(job, token), {
      connection: this.#redis,
      prefix: place.prefix,
      concurrency,
      ...claim(place),
    });
    this.#seats.on("error", () => {});
    // Somebody else has the seat, or Redis has forgotten it.
    this.#seats.on("lockRenewalFailed", (jobs) => {
      for (const job of jobs) void this.#sittings.get(job)?.leave("its claim has expired", 0);
    });
    this.#beating = setInterval(() => void this.#beat(), place.patienceMs / BEATS);
    void this.#beat();
  }

  /** Takes nothing new and ends when what it is at is finished. */
  async drain(): Promise<void> {
    this.#draining = true;
    void this.#beat();
    const closed = this.#seats.close();
    await Promise.all([...this.#sittings.values()].map((sitting) => sitting.drain()));
    await atMost(GOODBYE_MS, closed);
    await this.#goodbye();
  }

  /** Ends now: what it is at is for others. */
  async leave(): Promise<void> {
    this.#draining = true;
    const closed = this.#seats.close(true);
    await Promise.all([...this.#sittings.values()].map((sitting) => sitting.leave("its worker was ended", 0)));
    await atMost(GOODBYE_MS, closed);
    await this.#goodbye();
  }

  #goodbye(): Promise<void> {
    this.#gone ??= this.#strikeOff();
    return this.#gone;
  }

  async #strikeOff(): Promise<void> {
    clearInterval(this.#beating);
    const names = placeNames(this.#options.place);
    await atMost(GOODBYE_MS, this.#redis.multi().unlink(names.worker(this.id)).srem(names.workers, this.id).exec());
    this.#redis.disconnect();
  }

  async #sit(job: Job<SeatData>, token: string | undefined): Promise<void> {
    const { protocol, run, seat } = job.data;
    // Not of a coordinator's making: done with.
    if (!RUN_ID.test(run)) return;
    if (this.#refused.has(run) || protocol !== PROTOCOL || this.#draining) await passOn(job, token);
    const { visit, leave } = this.#visit(run);
    const sitter: Sitter = {
      ...this.#options,
      redis: this.#redis,
      workerId: this.id,
      host: hostname(),
      settled: (tasks) => {
        this.#tasks += tasks;
      },
    };
    const sitting = new Sitting(sitter, visit, seat);
    const id = job.id ?? "";
    this.#sittings.set(id, sitting);
    this.#options.log(`seat ${seat} of run ${run}: taken`);
    try {
      await sitting.work();
      this.#options.log(`seat ${seat} of run ${run}: left`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#refused.add(run);
      this.#options.log(`run ${run} refused: ${error.message}`);
      await passOn(job, token);
    } finally {
      this.#sittings.delete(id);
      await leave();
    }
  }

  /** One stay per run, however many seats. */
  #visit(run: string): { readonly visit: RunVisit; readonly leave: () => Promise<void> } {
    const known = this.#visits.get(run) ?? {
      visit: new RunVisit({ ...this.#options, redis: this.#redis }, run),
      guests: 0,
    };
    this.#visits.set(run, known);
    known.guests++;
    const leave = async (): Promise<void> => {
      if (--known.guests > 0) return;
      this.#visits.delete(run);
      await known.visit.end();
      await this.#tidyAfter(known.visit);
    };
    return { visit: known.visit, leave };
  }

  /** A coordinator that has died may have been tidied up after while this worker was still at its queue. */
  async #tidyAfter({ run, names }: RunVisit): Promise<void> {
    try {
      if ((await this.#redis.exists(names.alive)) === 0) await removeRun(this.#redis, this.#options.place, run);
    } catch {
      // Somebody else is at it.
    }
  }

  async #beat(): Promise<void> {
    const names = placeNames(this.#options.place);
    try {
      const card = JSON.stringify(this.#card());
      await this.#redis
        .multi()
        .set(names.worker(this.id), card, "PX", this.#options.place.patienceMs)
        .sadd(names.workers, this.id)
        .exec();
      for (const run of await sweepRuns(this.#redis, this.#options.place)) this.#options.log(`run ${run}: tidied up`);
    } catch {
      // Redis is away or this worker has ended; the next beat is soon.
    }
  }

  #card(): WorkerCard {
    const nowMs = performance.now();
    const seconds = (nowMs - this.#last.atMs) / 1000;
    if (seconds > 1) {
      this.#last = { tasks: this.#tasks, atMs: nowMs, perSecond: (this.#tasks - this.#last.tasks) / seconds };
    }
    const { concurrency, pool } = this.#options;
    return {
      protocol: PROTOCOL,
      id: this.id,
      host: hostname(),
      pid: process.pid,
      pool,
      concurrency,
      draining: this.#draining,
      runs: Object.fromEntries([...this.#visits].map(([run, { guests }]) => [run, guests])),
      tasks: this.#tasks,
      tasksPerSecond: Math.round(this.#last.perSecond * 10) / 10,
      upSeconds: Math.round((nowMs - this.#startedMs) / 1000),
    };
  }
}

/** Waits for work that may never end because Redis is away. */
async function atMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, limitMs);
  await Promise.race([work.catch(() => {}), promise]);
  clearTimeout(timer);
}

/** Leaves a seat to others, and comes back to it a little later. */
async function passOn(job: Job, token: string | undefined): Promise<never> {
  await job.moveToDelayed(Date.now() + REFUSED_MS, token);
  throw new DelayedError();
}
