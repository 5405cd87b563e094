import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { fileModeIn } from "../files/file-mode.ts";
import { seal } from "./line.ts";

/** The journal could not be written. Nothing has been told that is not written. */
export class JournalWriteError extends Error {
  override readonly name = "JournalWriteError";
}

/** How soon a written outcome is on the disk: within 50 ms, or before it is told. */
export type Durability = "grouped" | "strict";

const SYNC_WITHIN_MS = 50;

/**
 * Appends sealed lines. `append` only buffers; `write` hands everything buffered to the kernel in one call,
 * which survives a `kill -9` of this process; `fdatasync` follows within 50 ms, which survives a power cut.
 */
export class JournalWriter {
  readonly path: string;
  readonly #fd: number;
  readonly #durable: Durability;
  readonly #confirm: () => void;
  #size: number;
  #buffered: string[] = [];
  #bufferedBytes = 0;
  #syncTimer: NodeJS.Timeout | undefined;
  #syncing = false;
  #unsynced = false;
  #closed = false;
  #syncError: Error | undefined;

  /**
   * `size` is the number of bytes that are known to be good; anything after them is cut off. `confirm` is called right
   * before every write and throws when nothing may be written any more.
   */
  constructor(path: string, size: number, durable: Durability, confirm: () => void = () => {}) {
    this.path = path;
    this.#confirm = confirm;
    this.#durable = durable;
    this.#size = size;
    try {
      this.#fd = openSync(path, "a", fileModeIn(dirname(path)));
      ftruncateSync(this.#fd, size);
    } catch (error) {
      throw writeError(path, error);
    }
  }

  /** Buffers a line; returns the byte it will start at. */
  append(body: string): number {
    const line = seal(body);
    const start = this.#size + this.#bufferedBytes;
    this.#buffered.push(line);
    this.#bufferedBytes += Buffer.byteLength(line);
    return start;
  }

  /** Writes what is buffered. Throws without leaving a torn line behind. */
  write(): void {
    const start = this.#size;
    if (this.#syncError !== undefined) throw writeError(this.path, this.#syncError);
    if (this.#buffered.length === 0) return;
    this.#confirm();
    const bytes = Buffer.from(this.#buffered.length === 1 ? (this.#buffered[0] ?? "") : this.#buffered.join(""));
    this.#buffered = [];
    this.#bufferedBytes = 0;
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done);
    } catch (error) {
      this.#cutBack(start);
      throw writeError(this.path, error);
    }
    this.#size = start + bytes.length;
    this.#unsynced = true;
    if (this.#durable === "strict") this.sync();
    else if (!this.#closed) this.#syncSoon();
  }

  /** Everything written is on the disk when this returns. */
  sync(): void {
    if (!this.#unsynced && !this.#syncing) return;
    try {
      fdatasyncSync(this.#fd);
    } catch (error) {
      throw writeError(this.path, error);
    }
    this.#unsynced = false;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#syncTimer);
    try {
      this.write();
      this.sync();
    } finally {
      if (!this.#syncing) closeSync(this.#fd);
    }
  }

  #syncSoon(): void {
    if (this.#syncTimer !== undefined || this.#syncing) return;
    this.#syncTimer = setTimeout(() => {
      this.#syncTimer = undefined;
      this.#syncing = true;
      this.#unsynced = false;
      fdatasync(this.#fd, (error) => {
        this.#syncing = false;
        if (this.#closed) closeSync(this.#fd);
        else if (error) this.#syncError = error;
        else if (this.#unsynced) this.#syncSoon();
      });
    }, SYNC_WITHIN_MS / 2);
  }

  /** A disk that was full may have taken part of a batch: give it back, so that the journal ends with a whole line. */
  #cutBack(size: number): void {
    try {
      ftruncateSync(this.#fd, size);
    } catch {
      // The next opening truncates after the last newline.
    }
  }
}

function writeError(path: string, cause: unknown): JournalWriteError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new JournalWriteError(
    `cannot write ${path}: ${why}; what is finished is kept, resume when it can be written`,
    { cause },
  );
}
