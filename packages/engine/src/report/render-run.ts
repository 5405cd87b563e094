import { formatCount, formatMeasured, formatPercent, formatValue } from "../display/figures.ts";
import { progressLine } from "../display/summary-line.ts";
import { LOGS, workerLogName } from "../readers/run-logs.ts";
import { reportFacts, runState } from "./report-facts.ts";
import type { FailureReport, RunReport } from "./run-report.ts";

const MAX_FAILURES = 10;
const MAX_WORKERS = 16;
const BAR = 20;

/** A run as text for a terminal: facts, progress, failures, timers' shares, workers. */
export function renderRun(report: RunReport): string {
  return [
    [`run ${report.start?.id ?? "?"}: ${runState(report)}`, ...progress(report)],
    columns(reportFacts(report).map(({ name, value }) => [name, shown(value)])),
    failures(report),
    timers(report),
    workers(report),
    notes(report),
  ]
    .filter((section) => section.length > 0)
    .map((section) => section.join("\n"))
    .join("\n\n");
}

function progress({ levels, says, activeMs, best, end }: RunReport): string[] {
  const lines: string[] = [];
  if (levels.length > 0) lines.push(progressLine(levels, activeMs, null));
  lines.push(...says.map(shown));
  if (best !== undefined) lines.push(`best value ${formatValue(best)}`);
  if (end !== undefined && end.state !== "done") lines.push(shown(end.message));
  return lines;
}

function failures({ failures: { shown: kept, total, byType } }: RunReport): string[] {
  if (total === 0) return [];
  const types = byType.map(({ type, count }) => `${type} × ${formatCount(count)}`).join(", ");
  const listed = kept.slice(0, MAX_FAILURES);
  const more = total - listed.length;
  return [
    `failed attempts: ${formatCount(total)} (${shown(types)})`,
    ...listed.map(failure),
    ...(more > 0 ? [`  … ${formatCount(more)} more in the journal`] : []),
  ];
}

function failure({
  atMs,
  elapsedMs,
  ask,
  name,
  attempt,
  willRetry,
  worker,
  failure: { type, message },
}: FailureReport): string {
  const then = willRetry ? "tried again" : "given up";
  return `  ${name === undefined ? `task ${ask}` : shown(name)}, attempt ${attempt + 1} on worker ${worker} after ${formatMeasured(elapsedMs)}, ${formatMeasured(atMs)} into the run, ${then}: ${shown(`${type}: ${message}`)}`;
}

function timers({ timers: shares }: RunReport): string[] {
  if (shares.length === 0) return [];
  const rows = shares.map(({ name, share, totalShare, selfMs, count }) => [
    shown(name),
    bar(share),
    formatPercent(share),
    formatMeasured(selfMs),
    formatPercent(totalShare),
    formatCount(count),
  ]);
  const sum = shares.reduce((total, { share }) => total + share, 0);
  return [
    "timers, as shares of the workers' time",
    ...columns([["name", "", "self", "self time", "with nested", "count"], ...rows]),
    `  in all ${formatPercent(sum)}`,
  ];
}

function workers({ workers: all, start }: RunReport): string[] {
  if (all.length === 0) return [];
  const listed = all.slice(0, MAX_WORKERS);
  const logs = start?.directory !== undefined;
  const rows = listed.map(({ worker, done, failed, busyMs, aliveMs }) => [
    String(worker),
    formatCount(done),
    formatCount(failed),
    aliveMs > 0 ? formatPercent(Math.min(1, busyMs / aliveMs)) : "–",
    ...(logs ? [`${LOGS}/${workerLogName(worker)}`] : []),
  ]);
  const more = all.length - listed.length;
  return [
    "workers",
    ...columns([["worker", "done", "failed", "busy", ...(logs ? ["log"] : [])], ...rows]),
    ...(more > 0 ? [`  … ${formatCount(more)} more`] : []),
  ];
}

function notes({ notes: all }: RunReport): string[] {
  return all.map(({ atMs, text }) => `note, ${formatMeasured(atMs)} into the run: ${shown(text)}`);
}

/** Rows with their cells below each other. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column])).join("  ")}`.trimEnd());
}

function bar(share: number): string {
  const full = Math.round(share * BAR);
  return "█".repeat(full) + "░".repeat(BAR - full);
}

/** One line without control characters: a task's message must not drive the terminal. */
function shown(text: string): string {
  return text.replace(/\p{Cc}+/gu, " · ");
}
