import { childrenBelow, endStarted, type Started } from "../child-process/children-below.ts";
import { endLimitMarked } from "../child-process/limit-mark.ts";
import { processStart } from "../child-process/process-table.ts";
import { claim } from "./claimed-process.ts";
import { Watcher } from "./watcher.ts";

const LOOK_MS = 250;

/**
 * What the threads of a pool have started: threads are gone without a trace when their process is killed, so that somebody
 * else has to know. Looks every quarter of a second; only when there is a child is a watcher started. In a process
 * that was claimed there is one from the beginning, and what nobody saw is found by its mark.
 */
export class ThreadChildren {
  readonly #runToken: string;
  /** By thread: its number for the system, and what was seen below it. */
  readonly #threads = new Map<() => number, Started>();
  #timer: NodeJS.Timeout | undefined;
  #watcher: Watcher | undefined;
  #told = "";

  constructor(runToken: string) {
    this.#runToken = runToken;
  }

  /** A thread is started; its number is 0 until it has said it. */
  add(thread: () => number): void {
    if (this.#threads.size === 0) this.#begin();
    this.#threads.set(thread, new Map());
  }

  /** Looks at what a thread has started, before it ends. */
  see(thread: () => number): void {
    const number = thread();
    const seen = this.#threads.get(thread);
    if (number === 0 || seen === undefined) return;
    // What was seen once stays known when its parent ends.
    const alive = [...seen].filter(([pid, start]) => processStart(pid) === start);
    this.#threads.set(thread, new Map([...alive, ...childrenBelow(process.pid, number)]));
  }

  /** Ends what a thread has started: it may be waiting for that. */
  endBelow(thread: () => number): void {
    this.see(thread);
    endStarted(this.#threads.get(thread) ?? new Map());
  }

  /** A thread has ended: so does what it had started. */
  end(thread: () => number): void {
    endStarted(this.#threads.get(thread) ?? new Map());
    this.#threads.delete(thread);
    if (this.#threads.size === 0) this.#close();
  }

  #begin(): void {
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
    claim.pools++;
    if (!claim.made || process.platform !== "linux") return;
    claim.runToken ??= this.#runToken;
    this.#watcher = new Watcher(claim.runToken, `${claim.runToken}/0`);
  }

  #close(): void {
    clearInterval(this.#timer);
    claim.pools--;
    if (claim.runToken !== undefined && claim.pools === 0) endLimitMarked(claim.runToken);
    this.#watcher?.dismiss();
    this.#watcher = undefined;
    this.#told = "";
  }

  #look(): void {
    for (const thread of this.#threads.keys()) this.see(thread);
    const list = [...this.#threads.values()].flatMap((started) =>
      [...started].map(([pid, start]) => `${pid}:${start}`),
    );
    const line = list.join(" ");
    if (line === this.#told) return;
    this.#told = line;
    this.#watcher ??= new Watcher(this.#runToken);
    this.#watcher.tell(line);
  }
}
