import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent, RunReader } from "../contract/event.ts";
import { RunView } from "../display/run-view.ts";
import { REPORT_NAME, readReport, writeReport } from "../report/read-report.ts";
import { ReportBuilder } from "../report/report-builder.ts";
import type { ReportFact } from "../report/run-report.ts";
import { EventFile } from "./event-file.ts";
import { RunLogs } from "./run-logs.ts";

/** Writes what is read of a run into its directory: logs and `events.ndjson` as it goes, `report.html` when it has ended. */
export class DirectoryReader implements RunReader {
  readonly #directory: string;
  readonly #facts: readonly ReportFact[];
  readonly #mayWrite: () => boolean;
  readonly #view = new RunView({ keys: false });
  /** Of a new run; that of a resumed one has more sessions to tell of than this one and is read from the journal. */
  readonly #report: ReportBuilder | undefined;
  #logs: RunLogs | undefined;
  #events: EventFile | undefined;
  #wasDone = false;

  /** Touches nothing before the first event, and nothing while `mayWrite` says no: the directory is another process's then. */
  constructor(directory: string, facts: readonly ReportFact[], resumed: boolean, mayWrite: () => boolean = () => true) {
    this.#directory = directory;
    this.#mayWrite = mayWrite;
    this.#facts = facts;
    this.#report = resumed ? undefined : new ReportBuilder(this.#view);
  }

  see(event: RunEvent): void {
    if (!this.#mayWrite()) return;
    if (this.#logs === undefined) {
      this.#wasDone = [REPORT_NAME, "result.json"].every((name) => existsSync(join(this.#directory, name)));
      this.#logs = new RunLogs(this.#directory, this.#view);
      this.#events = new EventFile(this.#directory, undefined, this.#mayWrite);
    }
    this.#view.see(event);
    this.#report?.see(event);
    this.#logs.see(event);
    this.#events?.see(event);
  }

  /** Writes down what is held back: whoever follows the run reads no further than its end. */
  flush(): void {
    this.#events?.flush();
  }

  /** A report that cannot be written is no reason to lose a result: the journal has it all. */
  async close(): Promise<void> {
    await this.#logs?.close();
    await this.#events?.close();
    // A run that came to nothing was removed with its directory.
    if (!existsSync(this.#directory) || !this.#mayWrite() || this.#nothingNew()) return;
    try {
      writeReport(this.#directory, this.#report?.report(this.#facts) ?? readReport(this.#directory));
    } catch (error) {
      process.emitWarning(`the run's report could not be written: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** A finished run was run again from its journal and evaluated nothing: its report stands. */
  #nothingNew(): boolean {
    const { completed, cached, failed, retried } = this.#view.at(0).counts;
    return this.#wasDone && completed + cached + failed + retried === 0;
  }
}
