import { isNumber, minuteOf, reportTables, type Table, type TimingReport } from "./timing-report.ts";

const SLOWEST = 10;

/** The report for a terminal. */
export function reportText(report: TimingReport): string {
  if (report.events.length === 0) return `no events were recorded since ${minuteOf(report.from)}\n`;
  const { events, hooks, costs } = reportTables(report);
  const lines = [`hooks from ${minuteOf(report.from)} to ${minuteOf(report.to)} (UTC), times in milliseconds`, ""];
  lines.push(...tableLines(events), "", ...tableLines({ ...hooks, rows: hooks.rows.slice(0, SLOWEST) }));
  if (hooks.rows.length > SLOWEST) lines.push(`  and ${hooks.rows.length - SLOWEST} faster ones`);
  if (costs.rows.length > 0) lines.push("", ...tableLines(costs));
  if (report.suggestions.length > 0) lines.push("", "suggestions", ...report.suggestions.map((text) => `  ${text}`));
  if (report.corruptLines > 0) lines.push("", `${report.corruptLines} damaged lines were skipped`);
  return `${lines.join("\n")}\n`;
}

/** Columns as wide as their widest cell; numbers, and the titles of nothing but numbers, to the right. */
function tableLines({ head, rows }: Table): readonly string[] {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i].length)));
  const line = (row: readonly string[], toRight: (cell: string, i: number) => boolean): string =>
    row
      .map((cell, i) => (toRight(cell, i) ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))
      .join("  ")
      .trimEnd();
  return [line(head, (_, i) => rows.every((row) => isNumber(row[i]))), ...rows.map((row) => line(row, isNumber))];
}
