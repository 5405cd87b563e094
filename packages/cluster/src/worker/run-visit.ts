import { QueueEvents, type QueueEventsListener } from "bullmq";
import type { Redis } from "ioredis";
import { getBlob } from "../place/blobs.ts";
import type { ClusterPlace } from "../place/redis-address.ts";
import { placeNames, type RunNames } from "../place/redis-keys.ts";
import { type Carried, type Order, PROTOCOL, type Report, type RunDescription } from "../protocol.ts";
import { type Allowed, Refusal } from "./allow.ts";
import type { BlobCache } from "./blob-cache.ts";
import { findCode } from "./find-code.ts";

interface OrderEvents extends QueueEventsListener {
  order: (args: { readonly order: string }, id: string) => void;
}

/** What a worker needs for a run, in its own memory and on its own disk. */
export interface Materials {
  readonly evaluatorUrl: string;
  readonly context: string;
  readonly shared: Readonly<Record<string, SharedArrayBuffer>>;
}

/** What every visit of a worker's has in common. */
export interface Household {
  readonly place: ClusterPlace;
  readonly redis: Redis;
  readonly allowed: Allowed;
  readonly cache: BlobCache;
  /** Where installed evaluators are looked for, as an import there would find them. */
  readonly bases: readonly string[];
}

type Say = (report: Report) => void;

/** A worker's stay with one run, whatever number of seats it has there: listens to orders, fetches what is needed once. */
export class RunVisit {
  readonly run: string;
  readonly names: RunNames;
  readonly #household: Household;
  readonly #orders: QueueEvents;
  readonly #listeners = new Set<(order: Order) => void>();
  readonly #sent = new Map<string, string>();
  #description: Promise<RunDescription | undefined> | undefined;
  #materials: Promise<Materials> | undefined;

  constructor(household: Household, run: string) {
    this.run = run;
    this.#household = household;
    this.names = placeNames(household.place).run(run);
    const { prefix } = household.place;
    // From the beginning: who comes later hears what was ordered before.
    this.#orders = new QueueEvents(this.names.orders, { connection: household.redis, prefix, lastEventId: "0-0" });
    this.#orders.on("error", () => {});
    this.#orders.on<OrderEvents, "order">("order", ({ order }) => this.#hear(JSON.parse(order) as Order));
  }

  #hear(order: Order): void {
    if (order[0] === "sent") this.#sent.set(order[1], order[2]);
    for (const listener of [...this.#listeners]) listener(order);
  }

  /** Hears every order from now on, and those that hold for good. Returns how to stop. */
  listen(listener: (order: Order) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What the run says of itself; undefined when it is over. */
  description(): Promise<RunDescription | undefined> {
    this.#description ??= this.#household.redis.get(this.names.description).then((text) => {
      if (text === null) return undefined;
      const description = JSON.parse(text) as RunDescription;
      if (description.protocol !== PROTOCOL) {
        throw new Refusal(
          `it speaks version ${description.protocol} of the protocol, this worker ${PROTOCOL}: install the same coppice`,
        );
      }
      return description;
    });
    return this.#description;
  }

  /** Everything it takes to work for the run; throws a {@link Refusal} when that cannot or may not be had. */
  materials(description: RunDescription, say: Say): Promise<Materials> {
    this.#materials ??= this.#gather(description, say).catch((error) => {
      // Whatever is wrong with what was sent, others may have it right.
      throw error instanceof Refusal ? error : new Refusal(error instanceof Error ? error.message : String(error));
    });
    return this.#materials;
  }

  async #gather(description: RunDescription, say: Say): Promise<Materials> {
    const { allowed, bases, cache } = this.#household;
    const evaluatorUrl = await findCode(description, allowed, bases, {
      bundle: async () => {
        const hash = await this.#needed("bundle", say);
        return { hash, bytes: await this.#fetch(hash, say) };
      },
      keepCode: (name, hash, bytes) => {
        const path = cache.keep(name, hash, bytes);
        if (path === undefined) throw new Refusal("its disk has no room for the evaluator's code");
        return path;
      },
    });
    const shared: Record<string, SharedArrayBuffer> = {};
    for (const [name, { blob }] of Object.entries(description.arrays)) {
      const bytes = await this.bytes(blob, say);
      shared[name] = new SharedArrayBuffer(bytes.length);
      new Uint8Array(shared[name]).set(bytes);
    }
    const { context } = description;
    const text = typeof context === "string" ? context : (await this.bytes(context.blob, say)).toString();
    return { evaluatorUrl, context: text, shared };
  }

  /** Bytes by their hash: from this disk, or fetched and kept there. */
  async bytes(hash: string, say: Say): Promise<Buffer> {
    const { cache } = this.#household;
    const kept = cache.find("", hash);
    if (kept !== undefined) return kept;
    const bytes = await this.#fetch(hash, say);
    cache.keep("", hash, bytes);
    return bytes;
  }

  /** A candidate that went by reference; not kept. */
  async text(carried: Carried): Promise<string | undefined> {
    if (typeof carried === "string") return carried;
    // One that was changed on its way is sent again, like one that was lost.
    const bytes = await getBlob(this.#household.redis, this.names, carried.blob).catch(() => undefined);
    return bytes === undefined ? undefined : (JSON.parse(bytes.toString()) as string);
  }

  async #fetch(hash: string, say: Say): Promise<Buffer> {
    for (;;) {
      const bytes = await getBlob(this.#household.redis, this.names, hash);
      if (bytes !== undefined) return bytes;
      this.#sent.delete(hash);
      await this.#needed(hash, say);
    }
  }

  /** Asks the coordinator for something and waits until it is there; returns its hash. */
  async #needed(what: string, say: Say): Promise<string> {
    const there = this.#sent.get(what);
    if (there !== undefined) return there;
    const { promise, resolve } = Promise.withResolvers<string>();
    const stop = this.listen((order) => {
      if (order[0] === "sent" && order[1] === what) resolve(order[2]);
    });
    say(["needs", what]);
    const hash = await promise;
    stop();
    return hash;
  }

  async end(): Promise<void> {
    await this.#orders.close();
  }
}
