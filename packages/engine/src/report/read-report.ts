import { RunFollower } from "../readers/run-follower.ts";
import { runningProcess } from "../run-directory/lock.ts";
import { ReportBuilder } from "./report-builder.ts";
import { factsOf } from "./report-facts.ts";
import type { RunReport } from "./run-report.ts";

/** A run's report from its directory alone, whether the run ended, was cut off or goes on. */
export function readReport(directory: string): RunReport {
  const builder = new ReportBuilder();
  const follower = new RunFollower(directory);
  follower.catchUp((event) => builder.see(event));
  return { ...builder.report(factsOf(follower.file)), running: runningProcess(directory) !== undefined };
}
