import { createWriteStream, mkdirSync, type WriteStream } from "node:fs";
import { dirname } from "node:path";
import pino from "pino";

/** More than this unwritten means the disk does not keep up: lines are dropped rather than held. */
const MAX_UNWRITTEN_BYTES = 4 * 1024 * 1024;

/** One log file: a JSON object per line, appended without holding the run up. A log that cannot be written is given up. */
export class LogFile {
  readonly logger: pino.Logger;
  #stream: WriteStream | undefined;
  readonly #closed: Promise<void>;

  constructor(path: string) {
    this.#stream = openStream(path);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = promise;
    if (this.#stream === undefined) resolve();
    this.#stream?.on("error", () => {
      this.#stream = undefined;
      resolve();
    });
    this.#stream?.on("close", resolve);
    // pino's own destination throws at exit while its file is still being opened, and after a failed open.
    this.logger = pino(
      { base: null, timestamp: false, formatters: { level: (label) => ({ level: label }) } },
      { write: (line: string) => this.#write(line) },
    );
  }

  async close(): Promise<void> {
    this.#stream?.end();
    await this.#closed;
  }

  #write(line: string): void {
    if (this.#stream !== undefined && this.#stream.writableLength < MAX_UNWRITTEN_BYTES) this.#stream.write(line);
  }
}

function openStream(path: string): WriteStream | undefined {
  try {
    // Not recursive: a run directory that has been removed must not come back for the sake of its logs.
    mkdirSync(dirname(path));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) return undefined;
  }
  return createWriteStream(path, { flags: "a" });
}
