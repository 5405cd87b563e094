import type { RunEvent } from "../contract/event.ts";
import { endLines, failedText, resumedText, startedText } from "./announcements.ts";
import { formatCount } from "./figures.ts";
import type { RunReader } from "./reader.ts";
import { RunView } from "./run-view.ts";
import { levelsLine, summaryLine } from "./summary-line.ts";

export interface PlainLinesOptions {
  /** Takes one line, without its newline. */
  readonly write: (line: string) => void;
  /** How often a progress line is written. */
  readonly everyMs?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

const MAX_FAILURE_LINES = 20;

/** Follows a run in lines that only ever get longer: for files, pipes and continuous integration. */
export class PlainLines implements RunReader {
  readonly #write: (line: string) => void;
  readonly #now: () => number;
  readonly #view = new RunView({ keys: false });
  readonly #timer: NodeJS.Timeout;
  #failureLines = 0;

  constructor({ write, everyMs = 5000, now = Date.now }: PlainLinesOptions) {
    this.#write = write;
    this.#now = now;
    this.#timer = setInterval(() => this.#progress(), everyMs);
    this.#timer.unref();
  }

  see(event: RunEvent): void {
    this.#view.see(event);
    switch (event.type) {
      case "run-started":
        this.#write(startedText(event.start));
        return;
      case "resumed":
        this.#write(resumedText(event.plan));
        return;
      case "note":
        this.#write(event.message);
        return;
      case "failed":
        this.#failed(event);
        return;
      case "finished":
        clearInterval(this.#timer);
        this.#progress();
        for (const line of endLines(event.end)) this.#write(line);
        return;
      default:
        return;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
  }

  #progress(): void {
    const run = this.#view.at(this.#now());
    if (run.start === undefined && run.asked === 0) return;
    this.#write(summaryLine(run));
    const levels = levelsLine(run);
    if (levels !== undefined) this.#write(levels);
  }

  #failed(event: Extract<RunEvent, { type: "failed" }>): void {
    this.#failureLines++;
    if (this.#failureLines <= MAX_FAILURE_LINES) this.#write(failedText(event));
    if (this.#failureLines === MAX_FAILURE_LINES) {
      this.#write(
        `${formatCount(MAX_FAILURE_LINES)} failed attempts shown; further ones are counted below and listed in the report`,
      );
    }
  }
}
