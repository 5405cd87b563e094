import { join } from "node:path";
import type { RunEvent } from "../../contract/event.ts";
import { writeAtomically } from "../../files/write-whole.ts";
import { readJournal } from "../../journal/reader.ts";
import { JOURNAL_NAME } from "../../run-directory/open-run.ts";
import { readRunFile } from "../../run-directory/run-file.ts";
import { tellEntry } from "./journal-events.ts";
import { reportPage } from "./page.ts";
import { ReportBuilder } from "./report-builder.ts";
import { factsOf, startOf } from "./run-facts.ts";
import { runLogEvents } from "./run-log-events.ts";
import type { RunReport } from "./run-report.ts";

export const REPORT_NAME = "report.html";

/** A run's report from its directory alone (journal and run log side by side), whether the run ended, was cut off or goes on. */
export function readReport(directory: string): RunReport {
  const file = readRunFile(directory);
  const builder = new ReportBuilder();
  const start = startOf(file, directory);
  const logged = [...runLogEvents(directory)];
  let next = 0;
  const seeLogged = (until: number) => {
    for (; next < logged.length && logged[next].at <= until; next++) builder.see(logged[next]);
  };
  const see = (event: RunEvent) => builder.see(event);
  readJournal(join(directory, JOURNAL_NAME), (entry) => {
    seeLogged(entry.at);
    tellEntry(entry, start, see);
  });
  seeLogged(Number.POSITIVE_INFINITY);
  return builder.report(factsOf(file));
}

/** Writes `report.html` into the run's directory, all or nothing; returns its path. */
export function writeReport(directory: string, report: RunReport): string {
  const path = join(directory, REPORT_NAME);
  writeAtomically(path, reportPage(report));
  return path;
}
