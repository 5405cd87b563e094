import { randomUUID } from "node:crypto";
import { UsageError } from "@coppice/engine/usage-error";

/** How often what is on disk is looked at while somebody watches. */
const EVERY_MS = 250;
/** Later by so many times as long as the last look took, up to a limit: thousands of runs are not to keep a core busy. */
const REST = 4;
const MOST_REST_MS = 2000;
/** Changes that somebody who was away for a moment can catch up with; others get everything again. */
const MOST_KEPT = 64;
/** What may wait for a reader that is slow; then it is skipped, and gets everything again when it has room. */
const MOST_WAITING_BYTES = 256 * 1024;
/** A line now and then, so that a connection that is gone is noticed. */
const ALIVE_MS = 15_000;

/** What a feed is made of: the whole state, and what to send of a new one. */
export interface FeedSource<State> {
  readonly look: () => State;
  /** Undefined when there is nothing to say. Of the first state there is none earlier, and what is returned is not said. */
  readonly change: (earlier: State | undefined, later: State) => object | undefined;
}

interface Listener {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  behind: boolean;
}

/**
 * One state on disk, told to any number of listeners as server-sent events: all of it first, then changes, numbered. It is
 * looked at once for all of them, and not at all while there are none.
 */
export class Feed<State extends object> {
  readonly #source: FeedSource<State>;
  readonly #listeners = new Set<Listener>();
  readonly #kept: { readonly sequence: number; readonly bytes: Uint8Array }[] = [];
  /** Numbers of another feed, or of a studio that was ended, mean nothing here. */
  readonly #name = randomUUID().slice(0, 8);
  #state: State | undefined;
  #sequence = 0;
  #timer: NodeJS.Timeout | undefined;
  #toldAt = 0;
  #lookedAt = 0;
  #tookMs = 0;

  constructor(source: FeedSource<State>) {
    this.#source = source;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** A stream of events for one listener, who may say which one it had last. */
  listen(last: string | undefined): ReadableStream<Uint8Array> {
    if (this.#state === undefined || performance.now() - this.#lookedAt >= EVERY_MS) this.#look();
    let listener: Listener | undefined;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          listener = { controller, behind: false };
          this.#listeners.add(listener);
          this.#timer ??= setInterval(() => this.#tick(), EVERY_MS);
          const missed = last === undefined ? undefined : this.#since(last);
          if (missed === undefined) controller.enqueue(this.#snapshot());
          else for (const bytes of missed) controller.enqueue(bytes);
        },
        // Room again for a slow one: everything, because what it missed is not kept for it.
        pull: (controller) => {
          if (listener?.behind !== true) return;
          listener.behind = false;
          controller.enqueue(this.#snapshot());
        },
        cancel: () => this.#leave(listener),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING_BYTES }),
    );
  }

  close(): void {
    for (const listener of this.#listeners) {
      this.#leave(listener);
      listener.controller.close();
    }
  }

  #leave(listener: Listener | undefined): void {
    if (listener !== undefined) this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    try {
      if (performance.now() - this.#lookedAt >= Math.min(MOST_REST_MS, REST * this.#tookMs)) this.#look();
    } catch (error) {
      // Half written: the next look may find it.
      if (error instanceof UsageError) this.#tell(this.#event("gone", { why: error.message }));
      return;
    }
    if (performance.now() - this.#toldAt > ALIVE_MS) this.#tell(encoder.encode(": still here\n\n"));
  }

  #look(): void {
    this.#lookedAt = performance.now();
    const later = this.#source.look();
    const earlier = this.#state;
    const change = this.#source.change(earlier, later);
    this.#tookMs = performance.now() - this.#lookedAt;
    if (earlier === undefined || change !== undefined) this.#state = later;
    if (earlier === undefined || change === undefined) return;
    this.#sequence++;
    const bytes = this.#event("change", change);
    this.#kept.push({ sequence: this.#sequence, bytes });
    if (this.#kept.length > MOST_KEPT) this.#kept.shift();
    this.#tell(bytes);
  }

  #tell(bytes: Uint8Array): void {
    this.#toldAt = performance.now();
    for (const listener of this.#listeners) {
      if (listener.behind) continue;
      if ((listener.controller.desiredSize ?? 0) <= 0) listener.behind = true;
      else listener.controller.enqueue(bytes);
    }
  }

  #snapshot(): Uint8Array {
    return this.#event("snapshot", this.#state ?? {});
  }

  #event(name: string, data: object): Uint8Array {
    return encoder.encode(`id: ${this.#name}-${this.#sequence}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** The changes after one that somebody had; undefined when they are not all here any more. */
  #since(last: string): readonly Uint8Array[] | undefined {
    if (last === `${this.#name}-${this.#sequence}`) return [];
    const first = this.#kept.findIndex(({ sequence }) => `${this.#name}-${sequence - 1}` === last);
    return first < 0 ? undefined : this.#kept.slice(first).map(({ bytes }) => bytes);
  }
}

const encoder = new TextEncoder();
