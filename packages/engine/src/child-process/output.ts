import type { Readable } from "node:stream";

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

/** More than a pipe holds: what comes after that many bytes was not written by the child itself. */
const PIPE_BYTES = 4 * 1024 * 1024;
const LOOK_MS = 10;

/**
 * Waits for the last output of a child that has ended: until the streams end, or whoever else holds them open was given
 * `patienceMs`. All that the child itself wrote is read before patience begins, and patience passes only while we look:
 * when this process was busy with something else, the pipes are read before anything is concluded from the clock.
 */
export async function lastOutput(streams: readonly Readable[], patienceMs: number): Promise<void> {
  let came = 0;
  const count = (piece: { readonly length: number }): void => {
    came += piece.length;
  };
  const open = () => streams.some((stream) => !stream.readableEnded && !stream.destroyed);
  const ended = streamsEnd(streams);
  for (const stream of streams) stream.on("data", count);
  for (let before = -1; open() && came !== before && came < PIPE_BYTES; ) {
    before = came;
    await pipesRead();
  }
  for (let waitedMs = 0; open() && waitedMs < patienceMs; waitedMs += LOOK_MS) {
    await Promise.race([new Promise((resolve) => setTimeout(resolve, LOOK_MS)), ended]);
    await pipesRead();
  }
  for (const stream of streams) stream.off("data", count);
}

/** After two turns of the event loop: between the two it has read whatever was in the pipes. */
export async function pipesRead(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

/** Resolves when nobody holds the other ends of the streams any more. */
export async function streamsEnd(streams: readonly Readable[]): Promise<void> {
  await Promise.all(streams.map(endOf));
}

function endOf(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.readableEnded || stream.destroyed) resolve();
    else stream.once("end", resolve).once("close", resolve);
  });
}
