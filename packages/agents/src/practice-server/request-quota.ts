/** What a provider lets through: so many requests per second, with a reserve for bursts. */
export interface Quota {
  readonly perSecond: number;
  /** Requests that may come at once after a pause. Default: a tenth of a second's worth, at least 1. */
  readonly burst?: number;
  /** Sends `Retry-After` (whole seconds) with every 429. */
  readonly retryAfter?: boolean;
}

/** A token bucket, as providers use them: refuses what comes too soon. */
export class RequestQuota {
  readonly #perMs: number;
  readonly #burst: number;
  #tokens: number;
  #atMs: number;

  constructor({ perSecond, burst = Math.max(1, perSecond / 10) }: Quota, nowMs: number) {
    this.#perMs = perSecond / 1000;
    this.#burst = burst;
    this.#tokens = burst;
    this.#atMs = nowMs;
  }

  admits(nowMs: number): boolean {
    this.#tokens = Math.min(this.#burst, this.#tokens + (nowMs - this.#atMs) * this.#perMs);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  /** Whole seconds until the next request is let in, as `Retry-After` counts them. */
  secondsToWait(): number {
    return Math.max(1, Math.ceil((1 - this.#tokens) / this.#perMs / 1000));
  }
}
