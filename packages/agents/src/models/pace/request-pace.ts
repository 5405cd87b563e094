import { AdaptiveRate } from "./adaptive-rate.ts";
import { minuteBucket, TokenBucket } from "./token-bucket.ts";

export interface PaceLimits {
  /** Requests under way at once. */
  readonly maxConcurrent?: number | undefined;
  readonly requestsPerMinute?: number | undefined;
}

/** A request that may go now; must be ended exactly once. */
export interface Pass {
  /** The provider refused it with 429. */
  refused(): void;
  end(): void;
}

/** At most this much of a second's worth goes at once when the pace had to be found out. */
const BURST_SECONDS = 0.05;

interface Waiting {
  readonly go: () => void;
}

/** When a provider's next request may be sent: its own limits from the models file, and what its refusals teach. */
export class Pace {
  readonly #limits: PaceLimits;
  readonly #now: () => number;
  readonly #configured: TokenBucket | undefined;
  readonly #rate = new AdaptiveRate();
  #found: TokenBucket | undefined;
  readonly #waiting = new Set<Waiting>();
  #underWay = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: PaceLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    const { requestsPerMinute } = limits;
    this.#configured = requestsPerMinute === undefined ? undefined : minuteBucket(requestsPerMinute, now());
  }

  /** Waits for its turn, first come, first served; rejects with the signal's reason when that is aborted first. */
  enter(signal: AbortSignal): Promise<Pass> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        go: () => {
          signal.removeEventListener("abort", leave);
          resolve(this.#pass());
        },
      };
      const leave = (): void => {
        this.#waiting.delete(waiting);
        reject(signal.reason);
      };
      this.#waiting.add(waiting);
      signal.addEventListener("abort", leave, { once: true });
      this.#admit();
    });
  }

  #admit(): void {
    clearTimeout(this.#timer);
    for (const waiting of this.#waiting) {
      if (this.#underWay >= (this.#limits.maxConcurrent ?? Number.POSITIVE_INFINITY)) return;
      const waitMs = this.#mayGo();
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#admit(), Math.min(Math.ceil(waitMs), 1000));
        return;
      }
      this.#waiting.delete(waiting);
      this.#underWay++;
      waiting.go();
    }
  }

  /** 0 when a request may go now (its tokens are taken then); otherwise when to look again. */
  #mayGo(): number {
    const nowMs = this.#now();
    const perMs = this.#rate.perMs(nowMs);
    if (perMs < Number.POSITIVE_INFINITY) {
      this.#found ??= new TokenBucket(perMs, 1, nowMs);
      this.#found.setPace(perMs, Math.max(1, perMs * 1000 * BURST_SECONDS), nowMs);
    }
    const waitMs = Math.max(this.#found?.waitMs(nowMs) ?? 0, this.#configured?.waitMs(nowMs) ?? 0);
    if (waitMs > 0) return waitMs;
    this.#found?.take();
    this.#configured?.take();
    this.#rate.sent(nowMs);
    return 0;
  }

  #pass(): Pass {
    const sentAtMs = this.#now();
    let ended = false;
    let refused = false;
    return {
      refused: () => {
        refused = true;
        this.#rate.refused(sentAtMs, this.#now());
      },
      end: () => {
        if (ended) return;
        ended = true;
        if (!refused) this.#rate.accepted();
        this.#underWay--;
        this.#admit();
      },
    };
  }
}
