import { closeSync, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monotonicMs, type Standing } from "../worker-link.ts";

/** The count (float64 at 0), when (at 8), and the count again (at 16): a read torn by a write shows two counts. */
const RECORD_BYTES = 24;
const READ_TRIES = 4;

let filesMade = 0;

/**
 * A process's current task, in an open file without a name: the only memory two processes share on every platform that
 * survives the death of either. Writing costs about a microsecond, never touches a disk and leaves nothing behind.
 */
export class CurrentTaskFile {
  readonly fd: number;
  readonly #record = new Float64Array(RECORD_BYTES / 8);
  readonly #bytes = new Uint8Array(this.#record.buffer);
  #last: Standing = { started: 0, atMs: 0 };

  constructor(fd: number) {
    this.fd = fd;
  }

  /** A new file, by now nameless; its descriptor is for a child to inherit. */
  static make(): CurrentTaskFile {
    const path = join(tmpdir(), `coppice-${process.pid}-${filesMade++}-${process.hrtime.bigint()}`);
    const fd = openSync(path, "wx+", 0o600);
    unlinkSync(path);
    ftruncateSync(fd, RECORD_BYTES);
    return new CurrentTaskFile(fd);
  }

  /** One more task is started. */
  start(performanceNow: number): void {
    this.#record[0] += 1;
    this.#record[1] = monotonicMs(performanceNow);
    this.#record[2] = this.#record[0];
    try {
      writeSync(this.fd, this.#bytes, 0, RECORD_BYTES, 0);
    } catch {
      // A full disk: the pool then blames the task before this one, if it comes to that.
    }
  }

  standing(): Standing {
    for (let i = 0; i < READ_TRIES; i++) {
      const read = readSync(this.fd, this.#bytes, 0, RECORD_BYTES, 0);
      const [started, atMs, again] = this.#record;
      if (read === RECORD_BYTES && started === again) {
        this.#last = { started, atMs };
        break;
      }
    }
    return this.#last;
  }

  close(): void {
    closeSync(this.fd);
  }
}
