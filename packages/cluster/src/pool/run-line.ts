import { randomBytes } from "node:crypto";
import { Queue, QueueEvents, type QueueEventsListener } from "bullmq";
import type { Redis } from "ioredis";
import { dropBlob, getBlob, putBlob } from "../place/blobs.ts";
import { removeRun, sweepRuns } from "../place/clear-away.ts";
import { connection } from "../place/connect.ts";
import type { ClusterPlace } from "../place/redis-address.ts";
import { placeNames, type RunNames } from "../place/redis-keys.ts";
import type { ChunkData, Order, RunDescription, Saying, SeatData } from "../protocol.ts";

/** Events are removed as soon as they have been read; this bounds what a coordinator that does not read can leave. */
const MOST_EVENTS = 10_000;
/** What tidying up may take when Redis does not answer: workers do it later. */
const TIDY_MS = 3000;

/** What arrives from the workers of a run. */
export interface Heard {
  readonly says: (saying: Saying) => void;
  /** A chunk has been worked through; what its worker had not said before comes with it. */
  readonly completed: (job: string, saying: Saying) => void;
  /** A chunk's worker has not renewed its claim: somebody else gets it. */
  readonly stalled: (job: string) => void;
  /** A chunk could not be worked on. */
  readonly failed: (job: string, reason: string) => void;
}

interface RunEvents extends QueueEventsListener<Saying> {
  says: (args: { readonly saying: string }, id: string) => void;
}

/** A run's own end of the cluster: its queue and events, its orders, its seats in the common queue, what goes by reference. */
export class RunLine {
  readonly run = randomBytes(8).toString("hex");
  readonly names: RunNames;
  readonly #place: ClusterPlace;
  readonly #redis: Redis;
  readonly #chunks: Queue;
  readonly #seats: Queue;
  readonly #events: QueueEvents;
  #readUntil = "";
  #closed = false;

  constructor(place: ClusterPlace, heard: Heard) {
    this.#place = place;
    this.names = placeNames(place).run(this.run);
    this.#redis = connection(place);
    const { prefix } = place;
    const streams = { events: { maxLen: MOST_EVENTS } };
    this.#chunks = new Queue(this.names.queue, { connection: this.#redis, prefix, streams });
    this.#seats = new Queue(place.queue, { connection: this.#redis, prefix, streams: { events: { maxLen: 100 } } });
    this.#events = new QueueEvents(this.names.queue, { connection: this.#redis, prefix, lastEventId: "0-0" });
    for (const queue of [this.#chunks, this.#seats]) queue.on("error", () => {});
    this.#events.on("error", () => {});
    this.#listen(heard);
  }

  #listen(heard: Heard): void {
    const read = (id: string): void => {
      this.#readUntil = id;
    };
    this.#events.on<RunEvents, "says">("says", ({ saying }, id) => {
      read(id);
      heard.says(JSON.parse(saying) as Saying);
    });
    this.#events.on<RunEvents, "completed">("completed", ({ jobId, returnvalue }, id) => {
      read(id);
      heard.completed(jobId, returnvalue);
    });
    this.#events.on("stalled", ({ jobId }, id) => {
      read(id);
      heard.stalled(jobId);
    });
    this.#events.on("failed", ({ jobId, failedReason }, id) => {
      read(id);
      heard.failed(jobId, failedReason);
    });
  }

  /** Says that there is such a run; again, if Redis has lost it. */
  async announce(description: RunDescription): Promise<void> {
    await sweepRuns(this.#redis, this.#place);
    await this.#redis
      .multi()
      .set(this.names.alive, "1", "PX", this.#place.patienceMs)
      .set(this.names.description, JSON.stringify(description))
      .sadd(placeNames(this.#place).runs, this.run)
      // Workers speak only where somebody listens: the stream is made here.
      .xadd(this.names.events, "*", "event", "announced")
      .xadd(this.names.orderEvents, "*", "event", "announced")
      .exec();
  }

  /** A sign of life; false when Redis did not know of the last one any more. */
  async beat(): Promise<boolean> {
    const last = await this.#redis.set(this.names.alive, "1", "PX", this.#place.patienceMs, "GET");
    if (this.#readUntil !== "") await this.#redis.xtrim(this.names.events, "MINID", this.#readUntil);
    return last !== null;
  }

  async add(jobs: readonly { readonly id: string; readonly data: ChunkData }[]): Promise<void> {
    const opts = { removeOnComplete: true, removeOnFail: true, attempts: 1 };
    await this.#chunks.addBulk(jobs.map(({ id, data }) => ({ name: "chunk", data, opts: { ...opts, jobId: id } })));
  }

  /** Takes a chunk back that no worker has; false when one has it. */
  async takeBack(job: string): Promise<boolean> {
    return (await this.#chunks.remove(job)) === 1;
  }

  async forgetWaiting(): Promise<void> {
    await this.#chunks.drain();
  }

  async invite(job: string, data: SeatData): Promise<void> {
    await this.#seats.add("seat", data, { jobId: job, removeOnComplete: true, removeOnFail: true, attempts: 1 });
  }

  async uninvite(job: string): Promise<boolean> {
    return (await this.#seats.remove(job)) === 1;
  }

  async order(order: Order): Promise<void> {
    const text = JSON.stringify(order);
    await this.#redis.xadd(this.names.orderEvents, "MAXLEN", "~", MOST_EVENTS, "*", "event", "order", "order", text);
  }

  /** Which of these jobs Redis does not have. */
  async missing(chunks: readonly string[], seats: readonly string[]): Promise<Set<string>> {
    const pipeline = this.#redis.pipeline();
    for (const job of chunks) pipeline.exists(this.#chunks.toKey(job));
    for (const job of seats) pipeline.exists(this.#seats.toKey(job));
    const found = (await pipeline.exec()) ?? [];
    return new Set([...chunks, ...seats].filter((_, i) => found[i]?.[1] === 0));
  }

  /** Cards of the workers that are there, by id. */
  async workersAlive(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const names = placeNames(this.#place);
    const cards = await this.#redis.mget(...ids.map((id) => names.worker(id)));
    return new Set(ids.filter((_, i) => cards[i] !== null));
  }

  async workers(): Promise<string[]> {
    return [...(await this.workersAlive(await this.#redis.smembers(placeNames(this.#place).workers)))];
  }

  put(bytes: Buffer): Promise<string> {
    return putBlob(this.#redis, this.names, bytes);
  }

  /** What a worker has sent by reference; gone from Redis afterwards. */
  async fetch(hash: string): Promise<Buffer | undefined> {
    return getBlob(this.#redis, this.names, hash);
  }

  async drop(hash: string): Promise<void> {
    await dropBlob(this.#redis, this.names, hash);
  }

  /** Leaves nothing of the run in Redis, if that answers; otherwise workers tidy up when the last sign of life has expired. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.race([this.#tidy(), new Promise((done) => setTimeout(done, TIDY_MS).unref())]);
    await Promise.allSettled([this.#events.close(), this.#chunks.close(), this.#seats.close()]);
    this.#redis.disconnect();
  }

  async #tidy(): Promise<void> {
    try {
      await removeRun(this.#redis, this.#place, this.run);
    } catch {
      // Redis is gone or in trouble; see above.
    }
  }
}
