import { existsSync } from "node:fs";
import type { RunEvent, RunStart } from "../contract/event.ts";
import type { JournalEntry } from "../journal/entry.ts";
import type { RunFile } from "../run-directory/run-file.ts";
import type { RunReader } from "./reader.ts";
import { journalEvents } from "./report/journal-events.ts";
import { writeReport } from "./report/read-report.ts";
import { ReportBuilder } from "./report/report-builder.ts";
import { factsOf, startOf } from "./report/run-facts.ts";
import { runLogEvents } from "./report/run-log-events.ts";
import { RunLogs } from "./run-logs.ts";

/** Writes what people read of a run into its directory: the logs as it goes, `report.html` when it has ended. */
export class DirectoryReader implements RunReader {
  readonly #directory: string;
  readonly #file: Omit<RunFile, "format" | "createdAt">;
  readonly #report = new ReportBuilder();
  #logs: RunLogs | undefined;
  readonly #start: RunStart;
  #resumed = false;

  /** Touches nothing before the first event. */
  constructor(directory: string, file: Omit<RunFile, "format" | "createdAt">) {
    this.#directory = directory;
    this.#file = file;
    this.#start = startOf(file, directory);
  }

  /** Hears of an earlier session, before the first event of this one. */
  seeJournal(entry: JournalEntry): void {
    this.#resumed = true;
    for (const event of journalEvents(entry, this.#start)) this.#report.see(event);
  }

  see(event: RunEvent): void {
    if (this.#logs === undefined) {
      if (this.#resumed) for (const earlier of runLogEvents(this.#directory)) this.#report.see(earlier);
      this.#logs = new RunLogs(this.#directory);
    }
    this.#report.see(event);
    this.#logs.see(event);
  }

  /** A report or log that cannot be written is no reason to lose a result: the journal has it all. */
  async close(): Promise<void> {
    await this.#logs?.close();
    // A run that came to nothing is removed with its directory.
    if (!existsSync(this.#directory)) return;
    try {
      writeReport(this.#directory, this.#report.report(factsOf(this.#file)));
    } catch (error) {
      process.emitWarning(`the run's report could not be written: ${error instanceof Error ? error.message : error}`);
    }
  }
}
