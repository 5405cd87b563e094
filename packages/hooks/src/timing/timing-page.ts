import { type Markup, markup, page, pixel, table } from "@coppice/engine/page";
import type { HookRecord } from "./timing-records.ts";
import type { TimingReport } from "./timing-report.ts";
import { isNumber, minuteOf, reportTables, type Table } from "./timing-tables.ts";

const ROW_PX = 22;
const NAME_PX = 220;
const WIDTH_PX = 900;

const style = `
svg text { fill: currentColor; font-size: 12px; }
rect { fill-opacity: 0.6; } .ok { fill: var(--leaf); } .block { fill: var(--warn); } .wait { fill: currentColor; opacity: .12; }
`;

/** The report as one page that needs nothing else, with the timeline of one event. */
export function reportHtml(report: TimingReport, timeline: readonly HookRecord[]): string {
  return page({
    title: "Hook timing",
    lead: `${minuteOf(report.from)} to ${minuteOf(report.to)} (UTC), times in milliseconds.${damaged(report.corruptLines)}`,
    style,
    body: [...tables(report), timeline.length === 0 ? undefined : timelineSvg(timeline)],
  });
}

function tables(report: TimingReport): (Markup | undefined)[] {
  const { events, hooks, costs } = reportTables(report);
  const section = (title: string, { head, rows }: Table): Markup => {
    const columns = head.map((name, at) => (rows.every((row) => isNumber(row[at])) ? { number: name } : name));
    return markup`<h2>${title}</h2><div class="panel">${table(columns, rows)}</div>`;
  };
  const suggestions = report.suggestions.map((text) => markup`<li>${text}</li>\n`);
  return [
    section("Events", events),
    section("Hooks, slowest first", hooks),
    costs.rows.length === 0 ? undefined : section("What waiting costs per event", costs),
    suggestions.length === 0 ? undefined : markup`<h2>Suggestions</h2><ul>${suggestions}</ul>`,
  ];
}

function damaged(lines: number): string {
  return lines === 0 ? "" : ` ${lines} damaged lines were skipped.`;
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
function timelineSvg(records: readonly HookRecord[]): Markup {
  const [first] = records;
  const endMs = Math.max(1, ...records.map((record) => record.queued_ms + record.duration_ms));
  const x = (ms: number): number => pixel(NAME_PX + (ms / endMs) * (WIDTH_PX - NAME_PX));
  const width = (ms: number): number => Math.max(1, pixel((ms / endMs) * (WIDTH_PX - NAME_PX)));
  const bars = records.map((record, index) => {
    const y = index * ROW_PX;
    const looks = record.outcome === "ok" || record.outcome === "block" ? record.outcome : "bad";
    const title = `${record.hook}: stage ${record.stage}, ${record.duration_ms} ms, ${record.outcome}`;
    return markup`<g><title>${title}</title>
<text x="${NAME_PX - 8}" y="${y + 15}" text-anchor="end">${record.hook}</text>
<rect class="wait" x="${NAME_PX}" y="${y + 9}" width="${width(record.queued_ms)}" height="4"/>
<rect class="${looks}" x="${x(record.queued_ms)}" y="${y + 3}" width="${width(record.duration_ms)}" height="${ROW_PX - 6}" rx="2"/>
<text x="${x(record.queued_ms) + 4}" y="${y + 15}">${record.duration_ms}</text></g>
`;
  });
  const height = records.length * ROW_PX + 24;
  return markup`<h2>${first.event}, ${new Date(first.ts).toISOString()}</h2>
<div class="panel chart"><svg viewBox="0 0 ${WIDTH_PX} ${height}" role="img" aria-label="Timeline of one event">
${bars}
<text x="${NAME_PX}" y="${height - 6}">0 ms</text>
<text x="${WIDTH_PX}" y="${height - 6}" text-anchor="end">${endMs.toFixed(0)} ms</text>
</svg></div>`;
}
