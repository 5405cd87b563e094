import { formatDuration, formatMeasured } from "../display/figures.ts";
import { type Markup, markup } from "../page/markup.ts";
import { pixel } from "../page/plot-frame.ts";
import { timeTicks } from "../page/ticks.ts";
import type { Timeline, TimelineRow, TimelineSpan } from "./run-report.ts";

const WIDTH = 960;
const LEFT = 84;
const RIGHT = 16;
const BOTTOM = 26;
const MAX_ROWS = 64;
/** Cells are merged until there are at most this many, so that a hundred workers do not make a huge page. */
const MAX_CELLS = 8000;
const SHADES = 5;

/** What each worker did over the run's active time. */
export function timelineChart(timeline: Timeline): Markup {
  const rows = timeline.rows.slice(0, MAX_ROWS);
  if (rows.length === 0) return markup`<p class="empty">No task was evaluated.</p>`;
  const lengthMs = Math.max(timeline.lengthMs, 1);
  const rowHeight = rows.length <= 8 ? 26 : rows.length <= 24 ? 18 : 11;
  const height = rows.length * rowHeight + BOTTOM + 4;
  const x = (ms: number) => pixel(LEFT + (Math.min(ms, lengthMs) / lengthMs) * (WIDTH - LEFT - RIGHT));
  const frame: Frame = { x, rowHeight, barHeight: rowHeight - (rowHeight > 12 ? 6 : 3) };
  const places = new Map(rows.map((row, index) => [row.worker, index]));
  const bottom = rows.length * rowHeight + 4;
  const drawn =
    timeline.spans !== undefined
      ? spanBars(timeline.spans, places, frame)
      : stepBars(rows, timeline.stepMs, lengthMs, frame);
  const more = timeline.rows.length - rows.length;
  return markup`<figure class="chart" id="timeline">
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="What ${timeline.rows.length} workers did over ${formatMeasured(timeline.lengthMs)}">
${timeTicks(lengthMs, 8).map(
  (ms) =>
    markup`<line class="grid" x1="${x(ms)}" x2="${x(ms)}" y1="2" y2="${bottom}"/><text class="tick" x="${x(ms)}" y="${height - 8}" text-anchor="${x(ms) > WIDTH - RIGHT - 20 ? "end" : "middle"}">${lengthMs < 8000 ? formatMeasured(ms) : formatDuration(ms)}</text>`,
)}
${rows.map(
  ({ worker }, index) =>
    markup`<text class="tick" x="${LEFT - 8}" y="${pixel((index + 0.5) * rowHeight + 4)}" text-anchor="end">${rowHeight > 12 || index % 2 === 0 ? `worker ${worker}` : ""}</text>`,
)}
${drawn}
${timeline.sessionsMs.map(
  (ms) => markup`<line class="session" x1="${x(ms)}" x2="${x(ms)}" y1="0" y2="${bottom}"><title>resumed</title></line>`,
)}
</svg>
${more > 0 ? markup`<figcaption>… ${more} more workers</figcaption>` : undefined}
</figure>`;
}

interface Frame {
  readonly x: (ms: number) => number;
  readonly rowHeight: number;
  readonly barHeight: number;
}

function spanBars(spans: readonly TimelineSpan[], places: ReadonlyMap<number, number>, frame: Frame): Markup[] {
  return spans.flatMap(({ worker, fromMs, toMs, ask, key, ok }) => {
    const row = places.get(worker);
    if (row === undefined) return [];
    const from = frame.x(fromMs);
    const width = Math.max(0.8, pixel(frame.x(toMs) - from - 0.4));
    return [
      markup`<rect class="${ok ? "busy" : "bad"}" x="${from}" y="${row * frame.rowHeight + 3}" width="${width}" height="${frame.barHeight}" rx="1.5"><title>task ${ask} ${key}: ${formatMeasured(toMs - fromMs)}${ok ? "" : ", failed"}</title></rect>`,
    ];
  });
}

/** One path per shade: a cell costs some twenty bytes instead of a whole element. */
function stepBars(rows: readonly TimelineRow[], stepMs: number, lengthMs: number, frame: Frame): Markup[] {
  const steps = rows[0].busy.length;
  const merge = Math.max(1, Math.ceil((steps * rows.length) / MAX_CELLS));
  const shades: string[][] = Array.from({ length: SHADES }, () => []);
  const marks: string[] = [];
  for (const [index, row] of rows.entries()) {
    const y = index * frame.rowHeight + 3;
    for (let step = 0; step < row.busy.length; step += merge) {
      const from = frame.x(step * stepMs);
      const to = frame.x((step + merge) * stepMs);
      // The last step reaches past the end of the run: its time is only what the run had of it.
      const wholeMs = Math.min(lengthMs, (step + merge) * stepMs) - step * stepMs;
      const busyMs = sum(row.busy, step, merge) * stepMs;
      const shade = Math.min(SHADES, Math.ceil((busyMs / wholeMs) * SHADES - 1e-9));
      if (shade > 0)
        shades[shade - 1].push(`M${from},${y}h${pixel(to - from)}v${frame.barHeight}h${pixel(from - to)}z`);
      if (sum(row.failed, step, merge) > 0) marks.push(`M${from},${y}v${frame.barHeight}`);
    }
  }
  return [
    ...shades.map(
      (cells, shade) => markup`<path class="busy" opacity="${pixel((shade + 1) / SHADES)}" d="${cells.join("")}"/>`,
    ),
    markup`<path class="bad-mark" d="${marks.join("")}"/>`,
  ];
}

function sum(values: readonly number[], from: number, count: number): number {
  let total = 0;
  for (let index = from; index < Math.min(values.length, from + count); index++) total += values[index];
  return total;
}
