import type { RunEvent, RunReader } from "../contract/event.ts";
import { announcement } from "./announcements.ts";
import { formatCount } from "./figures.ts";
import { RunView } from "./run-view.ts";
import { levelsLine, summaryLine } from "./summary-line.ts";

/** Where plain lines go, and how often. */
export interface PlainLinesOptions {
  /** Takes one line, without its newline. */
  readonly write: (line: string) => void;
  /** How often a progress line is written. */
  readonly everyMs?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

const MAX_TROUBLES = 20;

/** Follows a run in lines that only ever get longer: for files, pipes and continuous integration. */
export class PlainLines implements RunReader {
  readonly #write: (line: string) => void;
  readonly #now: () => number;
  readonly #view = new RunView({ keys: false });
  readonly #timer: NodeJS.Timeout;
  #troubles = 0;

  constructor({ write, everyMs = 5000, now = Date.now }: PlainLinesOptions) {
    this.#write = write;
    this.#now = now;
    this.#timer = setInterval(() => this.#progress(), everyMs);
    this.#timer.unref();
  }

  see(event: RunEvent): void {
    this.#view.see(event);
    const { kind, lines } = announcement(event) ?? { kind: "fact", lines: [] };
    if (kind === "end") {
      clearInterval(this.#timer);
      this.#progress();
    }
    if (kind === "trouble") this.#trouble(lines);
    else for (const line of lines) this.#write(line);
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

  #trouble(lines: readonly string[]): void {
    this.#troubles++;
    if (this.#troubles <= MAX_TROUBLES) for (const line of lines) this.#write(line);
    if (this.#troubles === MAX_TROUBLES) {
      this.#write(
        `${formatCount(MAX_TROUBLES)} failures shown; further ones are counted below and listed in the report`,
      );
    }
  }
}
