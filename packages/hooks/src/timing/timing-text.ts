import type { TimingReport } from "./timing-report.ts";

const SLOWEST = 10;

/** The report for a terminal. */
export function reportText(report: TimingReport): string {
  if (report.events.length === 0) return `no events were recorded since ${date(report.from)}\n`;
  const lines = [`hooks from ${date(report.from)} to ${date(report.to)} (UTC), times in milliseconds`, ""];
  lines.push(
    ...table(
      ["event", "n", "mean", "critical path", "one by one", "saved"],
      report.events.map((e) => [
        e.event,
        String(e.n),
        ...[e.elapsedMs, e.criticalPathMs, e.serialSumMs, e.savedMs].map(tenths),
      ]),
    ),
    "",
  );
  const shown = report.hooks.slice(0, SLOWEST);
  lines.push(
    ...table(
      ["hook", "event", "n", "mean", "p50", "p95", "max", "failed", "timeouts"],
      shown.map((h) => [
        h.hook,
        h.event,
        String(h.n),
        ...[h.meanMs, h.p50Ms, h.p95Ms, h.maxMs].map(tenths),
        String(h.failures),
        String(h.timeouts),
      ]),
    ),
  );
  if (report.hooks.length > SLOWEST) lines.push(`  and ${report.hooks.length - SLOWEST} faster ones`);
  const costs = report.events.flatMap(({ event, conflicts }) => conflicts.map((conflict) => ({ event, ...conflict })));
  if (costs.length > 0) {
    const rows = costs.map(({ event, cause, costMs }) => [event, tenths(costMs), cause]);
    lines.push("", ...table(["event", "costs ms", "what waits"], rows));
  }
  if (report.suggestions.length > 0) lines.push("", "suggestions", ...report.suggestions.map((text) => `  ${text}`));
  if (report.corruptLines > 0) lines.push("", `${report.corruptLines} damaged lines were passed over`);
  return `${lines.join("\n")}\n`;
}

/** Columns as wide as their widest cell; numbers to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column].length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => (/^-?[\d.]+$/.test(cell) ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))
      .join("  ")
      .trimEnd();
  const title = head.map((cell, i) =>
    rows.every((row) => /^-?[\d.]+$/.test(row[i])) ? cell.padStart(widths[i]) : cell.padEnd(widths[i]),
  );
  return [title.join("  ").trimEnd(), ...rows.map(line)];
}

function tenths(ms: number): string {
  return ms.toFixed(1);
}

function date(ts: number): string {
  return new Date(ts).toISOString().slice(0, 16).replace("T", " ");
}
