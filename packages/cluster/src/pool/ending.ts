import type { PoolListener } from "@coppice/engine/pools";
import type { RunLine } from "./run-line.ts";
import type { Seats } from "./seats.ts";
import type { TravellingTasks } from "./travelling-task.ts";

/** What workers may take to leave after their deadline. */
const LEAVE_MS = 5000;
const LONGEST_TIMER_MS = 2_147_483_647;

/** How a run's part in the cluster ends: it breaks, or it closes when everybody has left. */
export class Ending {
  readonly #line: RunLine;
  readonly #seats: Seats;
  readonly #tasks: TravellingTasks;
  readonly #listener: PoolListener;
  readonly #finished = Promise.withResolvers<void>();
  #closeTimer: NodeJS.Timeout | undefined;
  #broken = false;
  #closing = false;
  #finishing = false;

  constructor(line: RunLine, seats: Seats, tasks: TravellingTasks, listener: PoolListener) {
    this.#line = line;
    this.#seats = seats;
    this.#tasks = tasks;
    this.#listener = listener;
  }

  /** The run has been told that it cannot go on, and wants to hear nothing else. */
  get broken(): boolean {
    return this.#broken;
  }

  /** Broken or closing: nothing new is begun. */
  get begun(): boolean {
    return this.#broken || this.#closing;
  }

  get finished(): Promise<void> {
    return this.#finished.promise;
  }

  /** What goes wrong with Redis is tried again by its client; what arrives here is a mistake, or the end. */
  async attempt(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.break(error instanceof Error ? error : new Error(String(error)));
    }
  }

  break(error: Error): void {
    if (this.begun) return;
    this.#broken = true;
    this.#tasks.clear();
    void this.attempt(this.#line.order(["close", 0]));
    this.#listener.broken(error);
  }

  /** Lets what runs go on until the deadline, which a further call may bring nearer. */
  close(deadlineMs: number): Promise<void> {
    clearTimeout(this.#closeTimer);
    this.#closeTimer = setTimeout(() => void this.#finish(), Math.min(LONGEST_TIMER_MS, deadlineMs + LEAVE_MS));
    void this.attempt(this.#line.order(["close", deadlineMs]));
    if (!this.#closing) {
      this.#closing = true;
      this.#tasks.close();
      void this.attempt(this.#sendHome());
    }
    return this.finished;
  }

  async #sendHome(): Promise<void> {
    await this.#line.forgetWaiting();
    for (const seat of this.#seats.all) {
      if (seat.job === "") continue;
      // Who has it already is on the way here, or says so in a moment.
      if ((await this.#line.uninvite(seat.job)) && seat.sitting === undefined) seat.job = "";
    }
    this.someoneLeft();
  }

  someoneLeft(): void {
    if (this.#closing && this.#seats.all.every(({ sitting, job }) => sitting === undefined && job === ""))
      void this.#finish();
  }

  async #finish(): Promise<void> {
    if (this.#finishing) return;
    this.#finishing = true;
    clearTimeout(this.#closeTimer);
    await this.#line.close();
    for (const { identity, ready, silent } of this.#seats.all) {
      if (ready && !silent && identity !== undefined && !this.#broken)
        this.#listener.worker(identity, "ended", "the pool closed");
    }
    this.#tasks.clear();
    this.#finished.resolve();
  }
}
