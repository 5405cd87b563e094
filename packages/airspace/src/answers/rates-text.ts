import { right, tableText } from "@coppice/engine/display";
import type { TimerShare } from "@coppice/engine/timers";
import { clockLabel } from "../instance/clock.ts";
import type { RateFinding } from "../rate-search/rate-finder.ts";
import type { RatesReport } from "./find-rates.ts";

/** A report for people: per mode the rates, what they cost and how they were found. */
export function ratesText(report: RatesReport): string {
  const { instance, volumeId, window, semantics } = report;
  const lines = [
    `${volumeId}, bins ${window[0]}-${window[1]} (${clockLabel(window[0], instance)}-${clockLabel(window[1], instance)} UTC), ${semantics} semantics`,
  ];
  for (const { mode, finding } of report.findings) {
    lines.push("");
    if (finding === undefined) lines.push(`${mode}: no flight enters, so there is nothing to regulate`);
    else lines.push(...findingText(mode, finding));
  }
  if (report.timers !== undefined) lines.push("", ...timersText(report.timers));
  return `${lines.join("\n")}\n`;
}

function findingText(mode: string, finding: RateFinding): string[] {
  const { baseline, final } = finding;
  const names = [...new Set([...Object.keys(baseline.components), ...Object.keys(final.components)])];
  const delays = [...final.delayMinutes.values()].filter((minutes) => minutes > 0);
  const total = delays.reduce((sum, minutes) => sum + minutes, 0);
  const most = delays.reduce((longest, minutes) => Math.max(longest, minutes), 0);
  const passes = finding.passesRan === 1 ? "1 pass" : `${finding.passesRan} passes`;
  const hits = finding.cacheHits === 1 ? "1 cache hit" : `${finding.cacheHits} cache hits`;
  return [
    `${mode}: ΔJ ${signed(finding.deltaJ)}   J ${figure(baseline.objective)} -> ${figure(finding.objective)}`,
    ...table([
      ["flow", "entrants", "rate/h"],
      ...finding.flowIds.map((id, flow) => [
        finding.entrantsByFlow.has(id) ? id : "all together",
        String(finding.entrantsByFlow.get(id) ?? sum(finding.entrantsByFlow.values())),
        finding.rates[flow] < Number.POSITIVE_INFINITY ? String(finding.rates[flow]) : "none",
      ]),
    ]),
    ...table([
      ["", "baseline", "final", "change"],
      ...names.map((name) => {
        const before = baseline.components[name] ?? 0;
        const after = final.components[name] ?? 0;
        return [name, figure(before), figure(after), signed(after - before)];
      }),
    ]),
    `  ${delays.length} of ${final.delayMinutes.size} flights delayed, ${total} minutes in all, at most ${most}`,
    `  ${finding.evaluations} evaluations, ${hits}, ${passes}${finding.stoppedEarly ? ", stopped at the evaluation limit" : ""}`,
  ];
}

/** Share of the wall time of each named timer, largest first. */
function timersText(shares: readonly TimerShare[]): string[] {
  return [
    "where the time went (self: nothing else timed inside)",
    ...table([
      ["", "calls", "ms", "share", "self"],
      ...shares.map(({ name, count, ms, totalShare, share }) => [
        name,
        String(count),
        ms.toFixed(2),
        percent(totalShare),
        percent(share),
      ]),
    ]),
  ];
}

/** Rows under their titles, the first column to the left and figures to the right, indented. */
function table([titles, ...rows]: readonly (readonly string[])[]): string[] {
  const [name, ...figures] = titles;
  return tableText([name, ...right(...figures)], rows)
    .split("\n")
    .map((line) => `  ${line}`.trimEnd());
}

function figure(value: number): string {
  return String(Math.round(value * 1e6) / 1e6);
}

function signed(value: number): string {
  const text = figure(value);
  return value > 0 ? `+${text}` : text === "-0" ? "0" : text;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
