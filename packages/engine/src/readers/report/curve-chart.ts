import { formatCount, formatValue } from "../figures.ts";
import { embedded, type Markup, markup } from "./markup.ts";
import type { CurvePoint } from "./run-report.ts";
import { logTicks, valueTicks } from "./ticks.ts";

const WIDTH = 960;
const HEIGHT = 280;
const LEFT = 84;
const RIGHT = 16;
const TOP = 14;
const BOTTOM = 42;
/** Values that span more than this factor are drawn by their order of magnitude. */
const LOG_FACTOR = 1000;

/** Best value over tells, as steps: a value holds until a better one is told. */
export function curveChart(curve: readonly CurvePoint[], told: number): Markup {
  const values = curve.map(({ best }) => best).filter(Number.isFinite);
  if (values.length === 0) return markup`<p class="empty">The search gave no best value.</p>`;
  const low = Math.min(...values);
  const high = Math.max(...values);
  const log = low > 0 && high / low > LOG_FACTOR;
  const margin = high > low ? (high - low) * 0.04 : Math.abs(high) * 0.1 || 1;
  const [bottom, top] = log ? [low / 1.2, high * 1.2] : [low - margin, high + margin];
  const unit = (value: number) =>
    log ? (Math.log(value) - Math.log(bottom)) / (Math.log(top) - Math.log(bottom)) : (value - bottom) / (top - bottom);
  const lastTold = Math.max(told, ...curve.slice(-1).map((point) => point.told), 1);
  const x = (tells: number) => place(LEFT + (tells / lastTold) * (WIDTH - LEFT - RIGHT));
  const y = (value: number) => place(HEIGHT - BOTTOM - unit(value) * (HEIGHT - TOP - BOTTOM));
  const finite = curve.filter(({ best }) => Number.isFinite(best));
  const path = finite.map((point, index) =>
    index === 0 ? `M${x(point.told)},${y(point.best)}` : `H${x(point.told)}V${y(point.best)}`,
  );
  const yTicks = log ? logTicks(bottom, top) : valueTicks(bottom, top, 5);
  const last = finite[finite.length - 1];
  const reached = finite[finite.findLastIndex(({ best }) => best !== last.best) + 1];
  return markup`<figure class="chart" id="curve">
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Best value over tells, from ${formatValue(finite[0].best)} to ${formatValue(last.best)}">
${yTicks.map(
  (value) =>
    markup`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value)}" y2="${y(value)}"/><text class="tick" x="${LEFT - 8}" y="${y(value) + 4}" text-anchor="end">${formatValue(value)}</text>`,
)}
${valueTicks(0, lastTold, 8).map(
  (tells) =>
    markup`<text class="tick" x="${x(tells)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="${x(tells) > WIDTH - RIGHT - 20 ? "end" : "middle"}">${formatCount(tells)}</text>`,
)}
<line class="axis" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${HEIGHT - BOTTOM}" y2="${HEIGHT - BOTTOM}"/>
<text class="label" x="${WIDTH - RIGHT}" y="${HEIGHT - 6}" text-anchor="end">tells</text>
<text class="label" x="${LEFT}" y="${HEIGHT - 6}">best value${log ? ", logarithmic" : ""}</text>
<path class="curve" d="${path.join("")}H${x(lastTold)}"/>
<circle class="dot" cx="${x(reached.told)}" cy="${y(last.best)}" r="4"/>
<g class="hover" visibility="hidden"><line class="cross" y1="${TOP}" y2="${HEIGHT - BOTTOM}"/><circle class="dot" r="4"/></g>
</svg>
<figcaption class="readout">${formatValue(last.best)} since tell ${formatCount(reached.told)}</figcaption>
${embedded("curve-points", { points: finite.map((point) => [point.told, formatValue(point.best), y(point.best)]), lastTold, left: LEFT, right: RIGHT, width: WIDTH })}
</figure>`;
}

function place(value: number): number {
  return Math.round(value * 10) / 10;
}
