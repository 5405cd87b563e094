import type { RunEvent } from "../contract/event.ts";

/** Hears what happens in a run, as it happens. */
export type EventListener = (event: RunEvent) => void;

const CAPACITY = 10_000;

/** Carries events to readers. Readers are bounded and may miss events; nothing waits for them. */
export class EventStream {
  readonly #listeners = new Set<EventListener>();
  readonly #queues = new Set<EventQueue>();
  readonly #mayTell: () => boolean;
  #ended = false;

  /** While `mayTell` says no, only the end is told: readers write files that are another process's then. */
  constructor(mayTell: () => boolean = () => true) {
    this.#mayTell = mayTell;
  }

  /** False when nobody would hear: hot paths then do not even build the event. */
  get heard(): boolean {
    return this.#listeners.size > 0 || this.#queues.size > 0;
  }

  emit(event: RunEvent): void {
    if (event.type !== "finished" && !this.#mayTell()) return;
    for (const listener of this.#listeners) this.#deliver(listener, event);
    for (const queue of this.#queues) queue.push(event);
    if (event.type !== "finished") return;
    this.#ended = true;
    for (const queue of this.#queues) queue.end();
  }

  /** A reader that throws is let go: it must not take the run along. */
  #deliver(listener: EventListener, event: RunEvent): void {
    try {
      listener(event);
    } catch (error) {
      this.#listeners.delete(listener);
      process.emitWarning(
        `a reader of the run's events failed and was dropped: ${error instanceof Error ? error.stack : error}`,
      );
    }
  }

  /** Calls `listener` for every event, at once; returns how to stop. */
  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Iterates from now on; events beyond ten thousand unread ones are dropped, the last one never. */
  iterate(): AsyncIterableIterator<RunEvent> {
    const queue = new EventQueue(() => this.#queues.delete(queue));
    if (this.#ended) queue.end();
    else this.#queues.add(queue);
    return queue;
  }
}

class EventQueue implements AsyncIterableIterator<RunEvent> {
  readonly #onReturn: () => void;
  #events: RunEvent[] = [];
  #waiting: ((result: IteratorResult<RunEvent>) => void) | undefined;
  #ended = false;

  constructor(onReturn: () => void) {
    this.#onReturn = onReturn;
  }

  push(event: RunEvent): void {
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      this.#waiting = undefined;
      waiting({ value: event, done: false });
    } else if (this.#events.length < CAPACITY || event.type === "finished") this.#events.push(event);
  }

  end(): void {
    this.#ended = true;
    this.#waiting?.({ value: undefined, done: true });
    this.#waiting = undefined;
  }

  next(): Promise<IteratorResult<RunEvent>> {
    const event = this.#events.shift();
    if (event !== undefined) return Promise.resolve({ value: event, done: false });
    if (this.#ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  return(): Promise<IteratorResult<RunEvent>> {
    this.#onReturn();
    this.#events = [];
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
