import { join } from "node:path";
import { writeDurably } from "../files/write-whole.ts";
import { RunFollower } from "../readers/run-follower.ts";
import { runningProcess } from "../run-directory/lock.ts";
import { reportPage } from "./page.ts";
import { ReportBuilder } from "./report-builder.ts";
import { factsOf } from "./report-facts.ts";
import type { RunReport } from "./run-report.ts";

/** The name of the page in a run's directory. */
export const REPORT_NAME = "report.html";

/** A run's report from its directory alone, whether the run ended, was cut off or goes on. */
export function readReport(directory: string): RunReport {
  const builder = new ReportBuilder();
  const follower = new RunFollower(directory);
  follower.catchUp((event) => builder.see(event));
  return { ...builder.report(factsOf(follower.file)), running: runningProcess(directory) !== undefined };
}

/** Writes `report.html` into the run's directory, all or nothing; returns its path. */
export function writeReport(directory: string, report: RunReport): string {
  const path = join(directory, REPORT_NAME);
  writeDurably(path, reportPage(report));
  return path;
}
