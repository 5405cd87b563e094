import type { HookRecord } from "./timing-records.ts";
import type { TimingReport } from "./timing-report.ts";

const ROW_PX = 22;
const NAME_PX = 220;
const WIDTH_PX = 900;

/** The report as one page that needs nothing else, with the timeline of one event. */
export function reportHtml(report: TimingReport, timeline: readonly HookRecord[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Hook timing</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 1160px; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 0 0 1.5rem; }
th, td { padding: .15rem .8rem .15rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid #8884; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
svg { max-width: 100%; height: auto; font: 12px system-ui, sans-serif; }
svg text { fill: currentColor; }
.ok { fill: #4a9; } .block { fill: #d93; } .bad { fill: #d55; } .wait { fill: currentColor; opacity: .12; }
</style>
</head>
<body>
<h1>Hook timing</h1>
<p>${date(report.from)} to ${date(report.to)} (UTC), times in milliseconds.${damaged(report.corruptLines)}</p>
${tables(report)}
${timeline.length === 0 ? "" : timelineSvg(timeline)}
</body>
</html>
`;
}

function tables({ events, hooks, suggestions }: TimingReport): string {
  const conflicts = events.flatMap(({ event, conflicts: costs }) => costs.map((cost) => ({ event, ...cost })));
  return [
    "<h2>Events</h2>",
    table(
      ["event", "n", "mean", "critical path", "one by one", "saved"],
      events.map((e) => [e.event, e.n, ...[e.elapsedMs, e.criticalPathMs, e.serialSumMs, e.savedMs].map(tenths)]),
    ),
    "<h2>Hooks, slowest first</h2>",
    table(
      ["hook", "event", "n", "mean", "p50", "p95", "max", "failed", "timeouts"],
      hooks.map((h) => [
        h.hook,
        h.event,
        h.n,
        ...[h.meanMs, h.p50Ms, h.p95Ms, h.maxMs].map(tenths),
        h.failures,
        h.timeouts,
      ]),
    ),
    ...(conflicts.length === 0 ? [] : ["<h2>What waiting costs per event</h2>"]),
    ...(conflicts.length === 0
      ? []
      : [
          table(
            ["event", "ms", "what waits"],
            conflicts.map(({ event, costMs, cause }) => [event, tenths(costMs), cause]),
          ),
        ]),
    ...(suggestions.length === 0 ? [] : ["<h2>Suggestions</h2>"]),
    ...(suggestions.length === 0
      ? []
      : [`<ul>${suggestions.map((text) => `<li>${escapeText(text)}</li>`).join("\n")}</ul>`]),
  ].join("\n");
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number): string =>
    typeof value === "number" ? `<td class="number">${value}</td>` : `<td>${escapeText(value)}</td>`;
  const body = rows.map((row) => `<tr>${row.map(cell).join("")}</tr>`).join("\n");
  return `<table>\n<tr>${head.map((title) => `<th>${title}</th>`).join("")}</tr>\n${body}\n</table>`;
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function date(ts: number): string {
  return new Date(ts).toISOString().slice(0, 16).replace("T", " ");
}

function damaged(lines: number): string {
  return lines === 0 ? "" : ` ${lines} damaged lines were passed over.`;
}

/** The hooks of the last event of the records, or of the run with the given id. */
export function timelineOf(
  records: readonly (HookRecord | { kind: "event"; run: string })[],
  run?: string,
): readonly HookRecord[] {
  const wanted = run ?? records.findLast((record) => record.kind === "event")?.run;
  return records.filter((record) => record.kind === "hook").filter((record) => record.run === wanted);
}

/** One bar per hook, in list order, from its start to its end; what it waited before that is pale. */
function timelineSvg(records: readonly HookRecord[]): string {
  const [first] = records;
  const endMs = Math.max(1, ...records.map((record) => record.queued_ms + record.duration_ms));
  const x = (ms: number): string => (NAME_PX + (ms / endMs) * (WIDTH_PX - NAME_PX)).toFixed(1);
  const width = (ms: number): string => Math.max(1, (ms / endMs) * (WIDTH_PX - NAME_PX)).toFixed(1);
  const bars = records.map((record, index) => {
    const y = index * ROW_PX;
    const looks = record.outcome === "ok" ? "ok" : record.outcome === "block" ? "block" : "bad";
    const title = `${record.hook}: stage ${record.stage}, ${record.duration_ms} ms, ${record.outcome}`;
    return `<g><title>${escapeText(title)}</title>
<text x="${NAME_PX - 8}" y="${y + 15}" text-anchor="end">${escapeText(record.hook)}</text>
<rect class="wait" x="${NAME_PX}" y="${y + 9}" width="${width(record.queued_ms)}" height="4"/>
<rect class="${looks}" x="${x(record.queued_ms)}" y="${y + 3}" width="${width(record.duration_ms)}" height="${ROW_PX - 6}" rx="2"/>
<text x="${Number(x(record.queued_ms)) + 4}" y="${y + 15}">${record.duration_ms}</text></g>`;
  });
  const height = records.length * ROW_PX + 24;
  return `<h2>${escapeText(first.event)}, ${new Date(first.ts).toISOString()}</h2>
<svg viewBox="0 0 ${WIDTH_PX} ${height}" role="img" aria-label="Timeline of one event">
${bars.join("\n")}
<text x="${NAME_PX}" y="${height - 6}">0 ms</text>
<text x="${WIDTH_PX}" y="${height - 6}" text-anchor="end">${endMs.toFixed(0)} ms</text>
</svg>`;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
