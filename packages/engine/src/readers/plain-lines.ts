import type { RunEvent } from "../contract/event.ts";
import { endLines, failedText, requeuedText, resumedText, startedText } from "./announcements.ts";
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

const MAX_TROUBLE_LINES = 20;

/** Follows a run in lines that only ever get longer: for files, pipes and continuous integration. */
export class PlainLines implements RunReader {
  readonly #write: (line: string) => void;
  readonly #now: () => number;
  readonly #view = new RunView({ keys: false });
  readonly #timer: NodeJS.Timeout;
  #troubleLines = 0;

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
        this.#trouble(failedText(event));
        return;
      case "requeued":
        this.#trouble(requeuedText(event));
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

  #trouble(text: string): void {
    this.#troubleLines++;
    if (this.#troubleLines <= MAX_TROUBLE_LINES) this.#write(text);
    if (this.#troubleLines === MAX_TROUBLE_LINES) {
      this.#write(
        `${formatCount(MAX_TROUBLE_LINES)} failures shown; further ones are counted below and listed in the report`,
      );
    }
  }
}
