import { formatCount, formatValue } from "../display/figures.ts";
import { embedded, type Markup, markup } from "../page/markup.ts";
import { plotFrame } from "../page/plot-frame.ts";
import { valueTicks } from "../page/ticks.ts";
import type { CurvePoint } from "./run-report.ts";

/** Values that span more than this factor are drawn by their order of magnitude. */
const LOG_FACTOR = 1000;

/** Best value over tells, as steps: a value holds until a better one is told. */
export function curveChart(curve: readonly CurvePoint[], told: number): Markup {
  const finite = curve.filter(({ best }) => Number.isFinite(best));
  if (finite.length === 0) return markup`<p class="empty">The search reported no best value.</p>`;
  const values = finite.map(({ best }) => best);
  const low = Math.min(...values);
  const high = Math.max(...values);
  const log = low > 0 && high / low > LOG_FACTOR;
  const lastTold = Math.max(told, ...curve.slice(-1).map((point) => point.told), 1);
  const frame = plotFrame([0, lastTold], [low, high], { size: { height: 280, left: 84, top: 14 }, log });
  const { x, y, size } = frame;
  const path = finite.map((point, index) =>
    index === 0 ? `M${x(point.told)},${y(point.best)}` : `H${x(point.told)}V${y(point.best)}`,
  );
  const last = finite[finite.length - 1];
  const reached = finite[finite.findLastIndex(({ best }) => best !== last.best) + 1];
  const points = finite.map((point) => [point.told, formatValue(point.best), y(point.best)]);
  return markup`<figure class="chart" id="curve">
<svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="Best value over tells, from ${formatValue(finite[0].best)} to ${formatValue(last.best)}">
${frame.axes(
  { label: "tells", ticks: valueTicks(0, lastTold, 8), text: formatCount },
  { label: `best value${log ? ", logarithmic" : ""}`, text: formatValue },
)}
<path class="curve" d="${path.join("")}H${x(lastTold)}"/>
<circle class="dot" cx="${x(reached.told)}" cy="${y(last.best)}" r="4"/>
<g class="hover" visibility="hidden"><line class="cross" y1="${frame.top}" y2="${frame.bottom}"/><circle class="dot" r="4"/></g>
</svg>
<figcaption class="readout">${formatValue(last.best)} since tell ${formatCount(reached.told)}</figcaption>
${embedded("curve-points", { points, lastTold, left: size.left, right: size.right, width: size.width })}
</figure>`;
}

/** Reads values off the convergence curve under the pointer. The page is complete without it. */
export const pageScript = `
(() => {
  const figure = document.getElementById("curve");
  const data = document.getElementById("curve-points");
  if (!figure || !data) return;
  const { points, lastTold, left, right, width } = JSON.parse(data.textContent);
  const svg = figure.querySelector("svg"), hover = figure.querySelector(".hover"), readout = figure.querySelector(".readout");
  const [line, dot] = hover.children;
  const resting = readout.textContent;
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * width;
    const told = ((x - left) / (width - left - right)) * lastTold;
    if (told < 0 || told > lastTold) return leave();
    let found = points[0];
    for (const point of points) { if (point[0] > told) break; found = point; }
    const at = Math.max(x, left);
    line.setAttribute("x1", at); line.setAttribute("x2", at);
    dot.setAttribute("cx", at); dot.setAttribute("cy", found[2]);
    hover.setAttribute("visibility", "visible");
    readout.textContent = found[1] + " after " + Math.round(Math.max(told, found[0])).toLocaleString("en-US") + " tells";
  });
  svg.addEventListener("pointerleave", leave);
  function leave() { hover.setAttribute("visibility", "hidden"); readout.textContent = resting; }
})();
`;
