import type { RunEvent } from "@coppice/engine";
import type { RunReader } from "@coppice/engine/session";

/** After this long people want to see something even if no worker is ready yet; nobody waits in front of a log. */
const PATIENCE_MS = { terminal: 1500, log: 20_000 } as const;

/**
 * Opens the display when the run really gets going. Until then a run may turn out to be impossible (an evaluator that
 * cannot be loaded, say), and all there is to show is one line of error.
 */
export class PatientDisplay {
  readonly #open: () => RunReader;
  readonly #timer: NodeJS.Timeout;
  #held: RunEvent[] = [];
  #display: RunReader | undefined;

  constructor(where: keyof typeof PATIENCE_MS, open: () => RunReader) {
    this.#open = open;
    this.#timer = setTimeout(() => this.#show(), PATIENCE_MS[where]);
  }

  see(event: RunEvent): void {
    if (this.#display === undefined) {
      this.#held.push(event);
      if (isProgress(event)) this.#show();
    } else this.#display.see(event);
  }

  /** The run came to nothing: what was not shown yet is not worth it. */
  giveUp(): void {
    clearTimeout(this.#timer);
    void this.#display?.close();
  }

  async close(): Promise<void> {
    await this.#show().close();
  }

  #show(): RunReader {
    clearTimeout(this.#timer);
    if (this.#display !== undefined) return this.#display;
    const display = this.#open();
    this.#display = display;
    for (const event of this.#held) display.see(event);
    this.#held = [];
    return display;
  }
}

function isProgress(event: RunEvent): boolean {
  return event.type === "resumed" || event.type === "completed" || (event.type === "worker" && event.state === "ready");
}
