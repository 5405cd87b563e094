import { join } from "node:path";
import type { RunEvent } from "../../contract/event.ts";
import { readJournal } from "../../journal/reader.ts";
import { JOURNAL_NAME } from "../../run-directory/open-run.ts";
import { readRunFile, writeAtomically } from "../../run-directory/run-file.ts";
import { tellEntry } from "./journal-events.ts";
import { reportPage } from "./page.ts";
import { ReportBuilder } from "./report-builder.ts";
import { factsOf, startOf } from "./run-facts.ts";
import { runLogEvents } from "./run-log-events.ts";
import type { RunReport } from "./run-report.ts";

export const REPORT_NAME = "report.html";

/** A run's report from its directory alone, whether the run ended, was cut off or goes on. */
export function readReport(directory: string): RunReport {
  const file = readRunFile(directory);
  const builder = new ReportBuilder();
  const start = startOf(file, directory);
  const see = (event: RunEvent) => builder.see(event);
  readJournal(join(directory, JOURNAL_NAME), (entry) => tellEntry(entry, start, see));
  for (const event of runLogEvents(directory)) builder.see(event);
  return builder.report(factsOf(file));
}

/** Writes `report.html` into the run's directory, all or nothing; returns its path. */
export function writeReport(directory: string, report: RunReport): string {
  const path = join(directory, REPORT_NAME);
  writeAtomically(path, reportPage(report));
  return path;
}
