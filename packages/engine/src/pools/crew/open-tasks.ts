import { TaskQueue } from "../task-queue.ts";

interface OpenTask {
  readonly id: number;
  aborted: boolean;
}

/** A pool's tasks that are not settled yet, and which of them wait for a worker. */
export class OpenTasks<Entry extends OpenTask> {
  readonly waiting = new TaskQueue<Entry>();
  readonly #all = new Map<number, Entry>();
  readonly #most: number;
  #closed = false;

  constructor(maxInFlight: number) {
    this.#most = maxInFlight;
  }

  /** Takes a task that was submitted, or throws what whoever submitted it has to hear. */
  admit(entry: Entry): void {
    if (this.#closed) throw new Error(`task ${entry.id} submitted to a closed pool`);
    if (this.#all.size >= this.#most) {
      throw new RangeError(`task ${entry.id} submitted beyond maxInFlight (${this.#most} unsettled tasks)`);
    }
    if (this.#all.has(entry.id)) throw new Error(`task ${entry.id} submitted twice`);
    this.#all.set(entry.id, entry);
    this.waiting.add(entry);
  }

  /** Marks a task as aborted and takes it out of the line; undefined when there is no such task or it was aborted before. */
  abort(id: number): Entry | undefined {
    const entry = this.#all.get(id);
    if (entry === undefined || entry.aborted) return undefined;
    entry.aborted = true;
    this.waiting.remove(id);
    return entry;
  }

  has(id: number): boolean {
    return this.#all.has(id);
  }

  get(id: number): Entry | undefined {
    return this.#all.get(id);
  }

  /** It has been settled, aborted or dropped; false when it was no longer open. */
  delete(id: number): boolean {
    return this.#all.delete(id);
  }

  /** Admits nothing any more, and drops what waits. */
  close(): void {
    this.#closed = true;
    for (const { id } of this.waiting.take(this.waiting.length)) this.#all.delete(id);
  }

  /** Drops everything. */
  clear(): void {
    this.close();
    this.#all.clear();
  }
}

/** Does the work once, after whatever runs now, however often it is asked for until then. */
export function soon(work: () => void): () => void {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    setImmediate(() => {
      asked = false;
      work();
    });
  };
}
