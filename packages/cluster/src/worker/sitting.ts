import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { type Pool, type PoolListener, type PoolResult, poolOf } from "@coppice/engine/pools";
import { Worker } from "bullmq";
import { putBlob } from "../place/blobs.ts";
import type { ClusterPlace } from "../place/redis-address.ts";
import {
  type CarriedResult,
  type ChunkData,
  LONG_BYTES,
  type Order,
  type RunDescription,
  type Saying,
} from "../protocol.ts";
import { Refusal } from "./allow.ts";
import { isSentCode } from "./find-code.ts";
import type { Household, Materials, RunVisit } from "./run-visit.ts";
import { Voice } from "./voice.ts";

/** How often within its patience a worker looks whether its coordinator is alive; twice not is dead. */
const LOOKS = 4;

/** A dead worker's task is somebody else's when its claim has expired; how often is the engine's business. */
export function claim({ patienceMs }: ClusterPlace) {
  return { lockDuration: patienceMs, stalledInterval: patienceMs / 2, maxStalledCount: 1_000_000 };
}

/** Tasks per message between a worker and its own thread or process. */
const LOCAL_CHUNK = 16;

/** Who sits down, and how it works. */
export interface Sitter extends Household {
  readonly workerId: string;
  readonly host: string;
  /** Kind of the engine's pool that runs the tasks: threads or processes. */
  readonly pool: string;
  readonly settled: (tasks: number) => void;
}

/** One worker on one seat of one run: a pool of the engine with a single worker, fed from the run's queue. */
export class Sitting {
  readonly #sitter: Sitter;
  readonly #visit: RunVisit;
  readonly #voice: Voice;
  readonly #name = randomUUID();
  readonly #unsettled = new Map<number, () => void>();
  readonly #over = Promise.withResolvers<string>();
  #pool: Pool | undefined;
  #chunks: Worker | undefined;
  #looking: NodeJS.Timeout | undefined;
  #missed = 0;
  #placeOfCode: readonly [string, string] = ["", ""];

  constructor(sitter: Sitter, visit: RunVisit, seat: number) {
    this.#sitter = sitter;
    this.#visit = visit;
    const { workerId, host, redis } = sitter;
    this.#voice = new Voice(redis, visit.names, { seat, sitting: this.#name, workerId, host });
  }

  /** Works until the run is over or somebody wants this seat back. Throws a {@link Refusal}. */
  async work(): Promise<void> {
    const stop = this.#visit.listen((order) => this.#obey(order));
    try {
      const description = await this.#visit.description();
      if (description === undefined) return;
      this.#look();
      const ready = await Promise.race([
        this.#visit.materials(description, (report) => this.#voice.say(report)),
        this.#over.promise,
      ]);
      if (typeof ready !== "string") await this.#serve(description, ready);
      this.#voice.say(["left", await this.#over.promise]);
    } catch (error) {
      if (error instanceof Refusal) this.#voice.say(["refused", error.message]);
      throw error;
    } finally {
      stop();
      clearTimeout(this.#looking);
      await this.#voice.flush();
      this.#voice.end();
    }
  }

  /** Finishes what it is at, takes nothing new, leaves. */
  async drain(): Promise<void> {
    await this.#chunks?.close();
    await this.leave("its worker was told to end", 60_000);
  }

  /** Lets what runs go on for so long, and leaves. */
  async leave(reason: string, deadlineMs: number): Promise<void> {
    await this.#pool?.close(deadlineMs);
    this.#over.resolve(reason);
  }

  async #serve(description: RunDescription, { evaluatorUrl, context, shared }: Materials): Promise<void> {
    const { chunk, graceMs, memoryMb, evaluatorName, disk: _, ...job } = description;
    // What is loaded from the cache is known to people by its own name.
    if (evaluatorName !== undefined) this.#placeOfCode = [fileURLToPath(evaluatorUrl), evaluatorName.path];
    // What travels together is run together.
    const together = chunk === "auto" ? LOCAL_CHUNK : chunk;
    const options = { workers: 1, oversubscribe: true, chunk: together, ahead: false, graceMs, maxInFlight: 100_000 };
    const factory = await poolOf(this.#sitter.pool, { ...options, ...(memoryMb !== undefined && { memoryMb }) });
    const runToken = `${job.runToken}/${this.#name}`;
    this.#pool = factory.open({ ...job, evaluatorUrl, context, shared, runToken }, this.#listener());
    await this.#over.promise;
    await this.#pool.close(0);
    for (const done of this.#unsettled.values()) done();
    await this.#chunks?.close();
  }

  #fetchChunks(): void {
    if (this.#chunks !== undefined) return;
    const { redis, place } = this.#sitter;
    const options = { connection: redis, prefix: place.prefix, concurrency: 1, ...claim(place) };
    this.#chunks = new Worker(this.#visit.names.queue, (job) => this.#workThrough(job.data as ChunkData), options);
    this.#chunks.on("error", () => {});
  }

  async #workThrough({ tasks }: ChunkData): Promise<Saying> {
    const candidates = await Promise.all(tasks.map(([, , , , candidate]) => this.#visit.text(candidate)));
    const all = tasks.map(([id, key, attempt, timeoutMs], i) => {
      const candidate = candidates[i];
      if (candidate === undefined || this.#pool === undefined) return undefined;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#unsettled.set(id, resolve);
      try {
        this.#pool.submit({ id, key, candidate, attempt, timeoutMs });
      } catch {
        // The pool has closed meanwhile: the coordinator has them back when this chunk is handed in.
        resolve();
      }
      return promise;
    });
    await Promise.all(all);
    return this.#voice.take();
  }

  #done(id: number): void {
    this.#unsettled.get(id)?.();
    this.#unsettled.delete(id);
  }

  #listener(): PoolListener {
    const voice = this.#voice;
    return {
      // Should it take this machine along, it is known which task that was.
      started: (_worker, ids) => voice.hurry(["started", ids]),
      settled: (results) => void this.#settled(results),
      requeued: (id, loss, reason) => voice.say(["requeued", id, loss, reason]),
      aborted: (id) => {
        voice.say(["aborted", id]);
        this.#done(id);
      },
      progress: (id, progress) => voice.say(["progress", id, progress]),
      log: (_worker, line, id) => voice.say(id === undefined ? ["log", line] : ["log", line, id]),
      worker: ({ pid, pidStart }, state, reason) => {
        voice.say([
          "worker",
          { pid, pidStart },
          state,
          ...(reason === undefined ? ([] as const) : ([reason] as const)),
        ]);
        void voice.flush();
        if (state === "ready") this.#fetchChunks();
      },
      timers: (_worker, totals) => voice.say(["timers", totals]),
      broken: (error) => {
        const detail = "detail" in error ? String(error.detail) : (error.stack ?? "");
        voice.say(["broken", this.#told(error.message), detail]);
        this.#over.resolve("the run cannot go on");
      },
    };
  }

  /** Why the run cannot go on, for people elsewhere: by the evaluator's own name, and of code that was sent, where. */
  #told(message: string): string {
    const [code, name] = this.#placeOfCode;
    const told = message.replaceAll(code, name);
    if (!isSentCode(code)) return told;
    const beside = /\bENOENT\b/.test(message)
      ? ': only what an evaluator imports is sent with it (JSON: import … with { type: "json" }), no other file'
      : "";
    return `${told}, on ${this.#sitter.host}${beside}`;
  }

  async #settled(results: readonly PoolResult[]): Promise<void> {
    const long = results.some((result) => result.ok && result.encoded.length > LONG_BYTES);
    const carried: readonly CarriedResult[] = long
      ? await Promise.all(results.map((result) => this.#carried(result)))
      : results;
    this.#voice.say(["settled", carried]);
    this.#sitter.settled(results.length);
    for (const { id } of results) this.#done(id);
  }

  async #carried(result: PoolResult): Promise<CarriedResult> {
    if (!result.ok || result.encoded.length <= LONG_BYTES) return result;
    const text = Buffer.from(JSON.stringify(result.encoded));
    return { ...result, encoded: { blob: await putBlob(this.#sitter.redis, this.#visit.names, text) } };
  }

  #obey(order: Order): void {
    if (order[0] === "abort") for (const id of order[1]) this.#pool?.abort(id);
    if (order[0] === "close") void this.leave("the pool closed", order[1]);
  }

  /** A coordinator that has died takes its tasks with it. */
  #look(): void {
    this.#looking = setTimeout(async () => {
      try {
        const alive = await this.#sitter.redis.exists(this.#visit.names.alive);
        this.#missed = alive === 1 ? 0 : this.#missed + 1;
      } catch {
        return;
      }
      if (this.#missed < 2) this.#look();
      else {
        this.#voice.end();
        await this.leave("its coordinator is gone", 0);
      }
    }, this.#sitter.place.patienceMs / LOOKS);
  }
}
