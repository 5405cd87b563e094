import { CHUNK_TARGET_MS, MAX_AUTO_CHUNK } from "./pool-options.ts";

/** Below this mean a worker is given its next chunk before it has finished the last, so that it never waits for a message. */
const AHEAD_BELOW_MS = 5;
/** What a message there and back may take on a busy machine, where a sleeping thread has to be woken at each end. */
const JOURNEY_MS = 0.5;
const MOST_CHUNKS_AHEAD = 4;
/** Weight of the newest task in the running mean: forgets a slow, uncompiled start within some twenty tasks. */
const NEWEST = 0.1;

/** How many tasks to send at once: as the user said, or from the measured time of the tasks so far. */
export class ChunkSize {
  readonly #fixed: number | undefined;
  readonly #mayWorkAhead: boolean;
  #meanMs: number | undefined;

  constructor(chunk: number | "auto", ahead: boolean) {
    this.#mayWorkAhead = ahead;
    this.#fixed = chunk === "auto" ? undefined : chunk;
  }

  measured(elapsedMs: number): void {
    this.#meanMs = this.#meanMs === undefined ? elapsedMs : this.#meanMs + NEWEST * (elapsedMs - this.#meanMs);
  }

  /** The most tasks in one message; one until something is known. */
  most(): number {
    if (this.#fixed !== undefined) return this.#fixed;
    if (this.#meanMs === undefined) return 1;
    return Math.max(1, Math.min(MAX_AUTO_CHUNK, Math.floor(CHUNK_TARGET_MS / this.#meanMs)));
  }

  /**
   * Tasks a worker may still have in hand when it is given more: none if a message's journey is nothing beside a task,
   * otherwise enough to be busy for that journey.
   */
  ahead(): number {
    if (!this.#mayWorkAhead || this.#meanMs === undefined || this.#meanMs >= AHEAD_BELOW_MS) return 0;
    const most = this.most();
    return Math.max(most, Math.min(most * MOST_CHUNKS_AHEAD, Math.ceil(JOURNEY_MS / this.#meanMs)));
  }
}
