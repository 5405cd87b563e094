/** Lets through a given number per millisecond on average, with a reserve for bursts. */
export class TokenBucket {
  #perMs: number;
  #burst: number;
  #tokens: number;
  #atMs: number;

  constructor(perMs: number, burst: number, nowMs: number) {
    this.#perMs = perMs;
    this.#burst = burst;
    this.#tokens = burst;
    this.#atMs = nowMs;
  }

  /** Changes the pace; what has been saved up stays, as far as it fits. */
  setPace(perMs: number, burst: number, nowMs: number): void {
    this.#refill(nowMs);
    this.#perMs = perMs;
    this.#burst = burst;
    this.#tokens = Math.min(burst, this.#tokens);
  }

  /** Milliseconds until there is a token; 0 when there is one now. */
  waitMs(nowMs: number): number {
    this.#refill(nowMs);
    return this.#tokens >= 1 ? 0 : (1 - this.#tokens) / this.#perMs;
  }

  /** Takes a token that is there. */
  take(): void {
    this.#tokens--;
  }

  #refill(nowMs: number): void {
    this.#tokens = Math.min(this.#burst, this.#tokens + (nowMs - this.#atMs) * this.#perMs);
    this.#atMs = nowMs;
  }
}

/** A bucket that never lets more than `perMinute` through in any 60 seconds: a tenth at once, the rest spread out. */
export function minuteBucket(perMinute: number, nowMs: number): TokenBucket {
  const burst = Math.max(1, Math.floor(perMinute / 10));
  return new TokenBucket(Math.max(perMinute - burst, perMinute / 2) / 60_000, burst, nowMs);
}
