/** What was kept of a stream and how much came. */
export interface Output {
  readonly bytes: Uint8Array;
  readonly totalBytes: number;
}

/** Collects a stream up to a limit; what comes after is counted and dropped, so that the writer never blocks. */
export class CappedOutput {
  readonly #limit: number;
  readonly #chunks: Uint8Array[] = [];
  #kept = 0;
  #total = 0;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  add(bytes: Uint8Array): void {
    this.#total += bytes.length;
    if (this.#kept >= this.#limit) return;
    const part = bytes.subarray(0, this.#limit - this.#kept);
    this.#kept += part.length;
    this.#chunks.push(part);
  }

  take(): Output {
    return {
      bytes: this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks),
      totalBytes: this.#total,
    };
  }
}
