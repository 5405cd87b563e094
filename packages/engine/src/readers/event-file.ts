import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent, RunReader, TimerTotals } from "../contract/event.ts";
import { fileModeIn } from "../files/file-mode.ts";
import { type LinesRead, readLines } from "../journal/reader.ts";
import { addTimerTotals } from "../timers/shares.ts";
import { decode, encode, ValueRefused } from "../values/encode.ts";

/** The name of the events in a run's directory. */
export const EVENTS_NAME = "events.ndjson";

/** How often what changes all the time (progress, tells, timers) is written; twice as rarely after each further step. */
const EVERY_MS = 200;
const STEP_BYTES = 4 * 1024 * 1024;
/** After some weeks of steady progress: nothing more is written than a line that says so. */
const MOST_BYTES = 8 * STEP_BYTES;
/** What a search says of itself may be long; longer than this nobody reads it. */
const MOST_LINE_CHARACTERS = 1024 * 1024;
const NEWLINE = 0x0a;

type Told = Extract<RunEvent, { type: "told" }>;
type Progress = Extract<RunEvent, { type: "progress" }>;

/**
 * Writes what a run's journal has no need of into `events.ndjson`: one event per line, encoded like a value, append-only
 * over all sessions. For programs: together with the journal it tells the whole run to one that follows it. What is
 * written has left this process; a file that cannot be written is given up.
 */
export class EventFile implements RunReader {
  readonly #mostBytes: number;
  readonly #mayWrite: () => boolean;
  #fd: number | undefined;
  #bytes = 0;
  #flushedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #told: Told | undefined;
  readonly #progress = new Map<number, Progress>();
  readonly #timers = new Map<number, { readonly at: number; readonly totals: TimerTotals }>();

  /** `directory` is the run's and must be there: one that was removed does not come back. */
  constructor(directory: string, mostBytes = MOST_BYTES, mayWrite: () => boolean = () => true) {
    this.#mostBytes = mostBytes;
    this.#mayWrite = mayWrite;
    try {
      this.#fd = openSync(join(directory, EVENTS_NAME), "a+", fileModeIn(directory));
      this.#bytes = fstatSync(this.#fd).size;
      // A line that a crash cut short is ended here, so that only that one is lost.
      if (this.#bytes > 0 && lastByte(this.#fd, this.#bytes) !== NEWLINE) writeSync(this.#fd, "\n");
    } catch {
      this.#giveUp();
    }
  }

  see(event: RunEvent): void {
    switch (event.type) {
      case "run-started":
      case "resumed":
      case "worker":
        this.flush();
        this.#write(event);
        return;
      case "told": {
        // The last one says how far the search is; what happened in it adds up.
        const news = [...(this.#told?.news ?? []), ...(event.news ?? [])];
        this.#told = news.length === 0 ? event : { ...event, news };
        this.#flushSoon();
        return;
      }
      case "progress":
        this.#progress.set(event.ask, event);
        this.#flushSoon();
        return;
      case "timers": {
        const { worker, at, totals } = event;
        this.#timers.set(worker, { at, totals: addTimerTotals(this.#timers.get(worker)?.totals ?? {}, totals) });
        this.#flushSoon();
        return;
      }
      case "completed":
      case "failed":
      case "requeued":
      case "cancelled":
        this.#progress.delete(event.ask);
        return;
      case "note":
      case "queued":
      case "started":
      case "log":
      case "finished":
        return; // the journal, or a worker's log, has it
      default:
        event satisfies never;
    }
  }

  /** Writes what has been held back. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#told === undefined && this.#progress.size === 0 && this.#timers.size === 0) return;
    this.#flushedAt = performance.now();
    const timers = [...this.#timers].map(
      ([worker, { at, totals }]) => ({ type: "timers", at, worker, totals }) as const,
    );
    const held: RunEvent[] = [...(this.#told === undefined ? [] : [this.#told]), ...this.#progress.values(), ...timers];
    this.#told = undefined;
    this.#progress.clear();
    this.#timers.clear();
    for (const event of held.sort((a, b) => a.at - b.at)) this.#write(event);
  }

  async close(): Promise<void> {
    this.flush();
    this.#giveUp();
  }

  #flushSoon(): void {
    if (this.#timer !== undefined || this.#fd === undefined) return;
    const everyMs = EVERY_MS * 2 ** Math.floor(this.#bytes / STEP_BYTES);
    const waitMs = this.#flushedAt + everyMs - performance.now();
    if (waitMs <= 0) this.flush();
    else this.#timer = setTimeout(() => this.flush(), waitMs).unref();
  }

  #write(event: RunEvent): void {
    if (this.#fd === undefined || this.#bytes > this.#mostBytes || !this.#mayWrite()) return;
    try {
      const line = encode(event);
      if (line.length > MOST_LINE_CHARACTERS) {
        const message = `an event "${event.type}" of ${line.length} characters was left out of ${EVENTS_NAME}`;
        this.#bytes += writeSync(this.#fd, `${encode({ type: "note", at: event.at, message })}\n`);
        return;
      }
      this.#bytes += writeSync(this.#fd, `${line}\n`);
      if (this.#bytes <= this.#mostBytes) return;
      const message = `${EVENTS_NAME} is full: progress is no longer written down, outcomes still are`;
      this.#bytes += writeSync(this.#fd, `${encode({ type: "note", at: event.at, message })}\n`);
    } catch (error) {
      // What a search says of itself may be beyond words; a disk that is full stays so for a while.
      if (!(error instanceof ValueRefused)) this.#giveUp();
    }
  }

  #giveUp(): void {
    clearTimeout(this.#timer);
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}

/**
 * Visits every event that was written down since an earlier reading. A line without its end is left for the next one;
 * a line that is not an event is skipped, because a crash may have left it and the journal has what matters.
 */
export function readEvents(directory: string, visit: (event: RunEvent) => void, earlier?: LinesRead): LinesRead {
  return readLines(join(directory, EVENTS_NAME), earlier, (line) => {
    const event = eventOf(line);
    if (event !== undefined) visit(event);
  });
}

const written: readonly unknown[] = ["run-started", "resumed", "worker", "told", "progress", "timers", "note"];

function eventOf(line: Buffer): RunEvent | undefined {
  try {
    // Cast: what has one of our types and a time was written above.
    const event = decode(line.toString("utf8")) as RunEvent;
    return written.includes(event.type) && Number.isFinite(event.at) ? event : undefined;
  } catch {
    return undefined;
  }
}

function lastByte(fd: number, size: number): number {
  const byte = Buffer.alloc(1);
  readSync(fd, byte, 0, 1, size - 1);
  return byte[0];
}
