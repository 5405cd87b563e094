import { CHUNK_TARGET_MS, MAX_AUTO_CHUNK } from "../pool-options.ts";

/** What a pool's messages are like, and so how much to put into one. */
export interface ChunkPace {
  /** Work per message that makes the message's own cost small. */
  readonly targetMs: number;
  /** The most tasks in a message. */
  readonly most: number;
  /** Below this mean a worker is given its next chunk before it has finished the last, so that it never waits for a message. */
  readonly aheadBelowMs: number;
  /** What a message there and back may take. */
  readonly journeyMs: number;
}

/** On one machine, where a sleeping thread has to be woken at each end. */
const LOCAL: ChunkPace = { targetMs: CHUNK_TARGET_MS, most: MAX_AUTO_CHUNK, aheadBelowMs: 5, journeyMs: 0.5 };
const MOST_CHUNKS_AHEAD = 4;
/** The one a worker is at, and the next. */
const CHUNKS_IN_HAND = 2;
/** Below this mean a worker is given its next task early where plenty wait: what is lost otherwise is the answer's journey and the coordinator's turn. */
const EARLY_BELOW_MS = 100;
/** Weight of the newest task in the running mean: forgets a slow, uncompiled start within some twenty tasks. */
const NEWEST = 0.1;
/** A task that took more than this many times the mean counts as if it took so long: its worker had to wait for a core. */
const OUTLIER = 3;

/** A pool's workers at a moment. */
interface Crowd {
  /** Chunks that may be handed over now. */
  readonly places: number;
  /** Workers that are ready. */
  readonly working: number;
  /** Those of them with nothing in hand. */
  readonly idle: number;
}

/** How many tasks to send at once: as the user said, or from the measured time of the tasks so far. */
export class ChunkSize {
  readonly #fixed: number | undefined;
  readonly #mayWorkAhead: boolean;
  readonly #pace: ChunkPace;
  #meanMs: number | undefined;

  constructor(chunk: number | "auto", ahead: boolean, pace = LOCAL) {
    this.#pace = pace;
    this.#mayWorkAhead = ahead;
    this.#fixed = chunk === "auto" ? undefined : chunk;
  }

  measured(elapsedMs: number): void {
    const mean = this.#meanMs ?? elapsedMs;
    this.#meanMs = mean + NEWEST * (Math.min(elapsedMs, mean * OUTLIER) - mean);
  }

  /** The most tasks in one message; one until something is known. */
  most(): number {
    if (this.#fixed !== undefined) return this.#fixed;
    if (this.#meanMs === undefined) return 1;
    return Math.max(1, Math.min(this.#pace.most, Math.floor(this.#pace.targetMs / this.#meanMs)));
  }

  /** Whether short tasks are handed over before the last ones are finished. */
  ahead(): boolean {
    return this.#mayWorkAhead && this.#meanMs !== undefined && this.#meanMs < this.#pace.aheadBelowMs;
  }

  #early(): boolean {
    return this.#mayWorkAhead && this.#meanMs !== undefined && this.#meanMs < EARLY_BELOW_MS;
  }

  /** Chunks a worker may have where its pool does not know which worker has which. */
  inHand(): number {
    return this.ahead() ? CHUNKS_IN_HAND : 1;
  }

  /** Tasks it takes to be busy for a message's journey. */
  #journey(): number {
    return this.#meanMs === undefined ? 1 : Math.ceil(this.#pace.journeyMs / this.#meanMs);
  }

  /**
   * How many more chunks a worker may be given that has this many in hand. Of long tasks one at a time; of others a next
   * one while it is at the last, as long as `plenty` wait, so that in the end nobody holds what another could begin; of
   * short ones enough to be busy for a message's journey.
   */
  places(tasksInHand: number, chunksInHand: number, plenty: boolean): number {
    if (!this.ahead()) return tasksInHand === 0 || (tasksInHand === 1 && plenty && this.#early()) ? 1 : 0;
    const most = this.most();
    const room = Math.min(most * MOST_CHUNKS_AHEAD, this.#journey()) - tasksInHand;
    return Math.max(0, CHUNKS_IN_HAND - chunksInHand, room < 0 ? 0 : 1 + Math.floor(room / most));
  }

  /**
   * Tasks for the next message: ever fewer towards the end of the queue where workers are ahead, so that they end
   * together and not a chunk apart, but never so few that the message takes longer than they do.
   */
  next(waiting: number, { places, working, idle }: Crowd): number {
    const most = this.most();
    if (!this.ahead()) return Math.min(most, Math.ceil(waiting / places));
    const share = Math.ceil(waiting / Math.max(places, 2 * working));
    const least = Math.min(this.#journey(), Math.ceil(waiting / Math.max(1, idle)));
    return Math.min(most, Math.max(share, least));
  }
}
