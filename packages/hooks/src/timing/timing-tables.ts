import { tableText } from "@coppice/engine/display";
import type { TimingReport } from "./timing-report.ts";

/** What a table holds, in words and numbers. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The figures as tables: names, counts, and milliseconds with one decimal. */
export function reportTables({ events, hooks }: TimingReport): Readonly<Record<"events" | "hooks" | "costs", Table>> {
  const ms = (...values: readonly number[]): readonly string[] => values.map((value) => value.toFixed(1));
  const costs = events.flatMap(({ event, conflicts }) =>
    conflicts.map(({ cause, costMs }) => [event, ...ms(costMs), cause]),
  );
  return {
    events: {
      head: ["event", "n", "mean", "critical path", "one by one", "saved"],
      rows: events.map((e) => [e.event, `${e.n}`, ...ms(e.elapsedMs, e.criticalPathMs, e.serialSumMs, e.savedMs)]),
    },
    hooks: {
      head: ["hook", "event", "n", "mean", "p50", "p95", "max", "failed", "timeouts"],
      rows: hooks.map((h) => {
        const times = ms(h.meanMs, h.p50Ms, h.p95Ms, h.maxMs);
        return [h.hook, h.event, `${h.n}`, ...times, `${h.failures}`, `${h.timeouts}`];
      }),
    },
    costs: { head: ["event", "costs ms", "what waits"], rows: costs },
  };
}

function isNumber(cell: string): boolean {
  return /^-?[\d.]+$/.test(cell);
}

/** A moment as people write it, in UTC. */
function minuteOf(ts: number): string {
  return new Date(ts).toISOString().slice(0, 16).replace("T", " ");
}

const SLOWEST = 10;

/** The report for a terminal. */
export function reportText(report: TimingReport): string {
  if (report.events.length === 0) return `no events were recorded since ${minuteOf(report.from)}\n`;
  const { events, hooks, costs } = reportTables(report);
  const lines = [`hooks from ${minuteOf(report.from)} to ${minuteOf(report.to)} (UTC), times in milliseconds`, ""];
  lines.push(textOf(events), "", textOf({ ...hooks, rows: hooks.rows.slice(0, SLOWEST) }));
  if (hooks.rows.length > SLOWEST) lines.push(`  and ${hooks.rows.length - SLOWEST} faster ones`);
  if (costs.rows.length > 0) lines.push("", textOf(costs));
  if (report.suggestions.length > 0) lines.push("", "suggestions", ...report.suggestions.map((text) => `  ${text}`));
  if (report.corruptLines > 0) lines.push("", `${report.corruptLines} damaged lines were skipped`);
  return `${lines.join("\n")}\n`;
}

/** Columns of nothing but numbers to the right. */
function textOf({ head, rows }: Table): string {
  const isNumeric = (at: number): boolean => rows.every((row) => isNumber(row[at]));
  const columns = head.map((title, at) => (isNumeric(at) ? { right: title } : title));
  return tableText(columns, rows);
}
