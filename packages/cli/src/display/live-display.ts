import type { WriteStream } from "node:tty";
import type { RunEvent } from "@coppice/engine";
import { announcement, RunView } from "@coppice/engine/display";
import type { RunReader } from "@coppice/engine/session";
import { createLogUpdate } from "log-update";
import { fit } from "./fit.ts";
import { runFrame } from "./frame.ts";

/** What the display needs of a terminal. */
export type Terminal = Pick<WriteStream, "columns" | "rows" | "isTTY" | "write" | "writableNeedDrain">;

export interface LiveDisplayOptions {
  readonly terminal: Terminal & NodeJS.WritableStream;
  readonly color: boolean;
  /** Milliseconds between two redraws. */
  readonly everyMs?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** At most ten redraws per second; one per second when nothing happens, for the clocks. */
const REDRAW_MS = 100;
const IDLE_REDRAW_MS = 1000;
const MAX_TROUBLE_LINES = 10;

/** Shows a run in a few lines of the terminal that are redrawn in place, and leaves its outcome behind. */
export class LiveDisplay implements RunReader {
  readonly #options: LiveDisplayOptions;
  readonly #now: () => number;
  readonly #update: ReturnType<typeof createLogUpdate>;
  readonly #view = new RunView();
  readonly #timer: NodeJS.Timeout;
  #changed = false;
  #drawnAt = 0;
  #troubleLines = 0;
  #done = false;

  constructor(options: LiveDisplayOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#update = createLogUpdate(options.terminal);
    this.#timer = setInterval(() => this.#redraw(), options.everyMs ?? REDRAW_MS);
    this.#timer.unref();
  }

  see(event: RunEvent): void {
    this.#view.see(event);
    this.#changed = true;
    const said = event.type === "failed" && event.willRetry ? undefined : announcement(event);
    if (said?.kind === "end") this.#finish(said.lines);
    else if (said?.kind === "trouble") this.#trouble(said.lines);
    else if (said !== undefined) this.#keep(said.lines);
  }

  async close(): Promise<void> {
    this.#finish();
  }

  #redraw(): void {
    const now = this.#now();
    if (!this.#changed && now - this.#drawnAt < IDLE_REDRAW_MS) return;
    // A terminal that does not keep up gets the next frame instead of this one.
    if (this.#options.terminal.writableNeedDrain) return;
    this.#draw(now);
  }

  #draw(now: number): void {
    this.#changed = false;
    this.#drawnAt = now;
    const { columns = 80, rows = 24 } = this.#options.terminal;
    this.#update(runFrame(this.#view.at(now), { columns, rows, color: this.#options.color }));
  }

  /** The first few failures stay; the rest is counted, and listed in the report. */
  #trouble(lines: readonly string[]): void {
    this.#troubleLines++;
    if (this.#troubleLines <= MAX_TROUBLE_LINES) this.#keep(lines);
  }

  /** Lines that stay, above what is redrawn. */
  #keep(lines: readonly string[]): void {
    if (!this.#done) for (const line of lines) this.#update.persist(fit(line, 1000));
  }

  #finish(lastLines: readonly string[] = []): void {
    if (this.#done) return;
    clearInterval(this.#timer);
    this.#draw(this.#now());
    this.#update.done();
    this.#done = true;
    for (const line of lastLines) this.#options.terminal.write(`${fit(line, 1000)}\n`);
  }
}
