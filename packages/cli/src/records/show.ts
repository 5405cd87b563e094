import {
  findRun,
  JOURNAL_NAME,
  readReport,
  readResultFile,
  readRunFile,
  renderRun,
  resultProblem,
  runningProcess,
} from "@coppice/engine/records";
import { plainJson } from "@coppice/engine/values";
import type { SamplingRecord } from "@coppice/projections/sampling";
import { exitCode } from "../exit-code.ts";
import type { PlaceOptions } from "../options/run-options.ts";
import { print, printJson } from "../print.ts";
import { writePage } from "../session/write-page.ts";

export interface ShowFlags extends PlaceOptions {
  readonly json?: boolean;
  readonly report?: boolean;
}

/** `coppice show <run>`: everything its directory tells, for people or as one JSON document. */
export async function showRun(named: string, { runDir, json, report: page }: ShowFlags): Promise<void> {
  const directory = findRun(named, runDir);
  let report = readReport(directory);
  if (report.start?.tool === "tree") report = (await import("@coppice/ideas/view")).namedFailures(report, directory);
  if (report.start?.tool === "sampling") {
    const { namedTrials } = await import("@coppice/projections/sampling");
    // Cast: that tool has written it.
    report = namedTrials(report, readRunFile(directory).options as SamplingRecord);
  }
  const result = readResultFile(directory);
  const running = runningProcess(directory);
  const problem = result && resultProblem(directory, JOURNAL_NAME, result, "whole")?.message;
  if (problem !== undefined) process.exitCode = exitCode.failed;
  const written = page === true ? await writePage(directory) : undefined;
  if (json === true) {
    const answer: unknown = result === undefined ? undefined : plainJson(result.result);
    printJson({ directory, ...report, running, problem, result: answer, page: written });
    return;
  }
  const lines = [renderRun(report)];
  if (running !== undefined) lines.push(`\npid ${running.pid} on ${running.host} is working on it now`);
  if (problem !== undefined) lines.push(`\n${problem}`);
  if (written !== undefined) lines.push(`\nreport written to ${written}`);
  print(`${lines.join("\n")}\n`);
}
