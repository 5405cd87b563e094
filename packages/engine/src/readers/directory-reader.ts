import type { RunEvent, RunReader } from "../contract/event.ts";
import { RunView } from "../display/run-view.ts";
import { EventFile } from "./event-file.ts";
import { RunLogs } from "./run-logs.ts";

/** Writes what is read of a run into its directory as it goes: logs and `events.ndjson`. */
export class DirectoryReader implements RunReader {
  readonly #directory: string;
  readonly #mayWrite: () => boolean;
  readonly #view = new RunView({ keys: false });
  #logs: RunLogs | undefined;
  #events: EventFile | undefined;

  /** Touches nothing before the first event, and nothing while `mayWrite` says no: the directory is another process's then. */
  constructor(directory: string, mayWrite: () => boolean = () => true) {
    this.#directory = directory;
    this.#mayWrite = mayWrite;
  }

  see(event: RunEvent): void {
    if (!this.#mayWrite()) return;
    this.#logs ??= new RunLogs(this.#directory, this.#view);
    this.#events ??= new EventFile(this.#directory, undefined, this.#mayWrite);
    this.#view.see(event);
    this.#logs.see(event);
    this.#events.see(event);
  }

  /** Writes down what is held back: whoever follows the run reads no further than its end. */
  flush(): void {
    this.#events?.flush();
  }

  async close(): Promise<void> {
    await this.#logs?.close();
    await this.#events?.close();
  }
}
