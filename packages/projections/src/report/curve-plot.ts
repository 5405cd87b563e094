import { type Markup, markup, plotFrame, table } from "@coppice/engine/page";
import type { Curve, CurvePoint } from "@coppice/search";

/** A small plot with a line of numbers below it. */
const SIZE = { width: 175, height: 102, left: 8, right: 8, top: 8, bottom: 20 };

/** Rules that pages with small plots need beside those of every page. */
export const plotStyle = `main { max-width: 1320px; } td svg { display: block; } .curve { stroke-width: 1.5; } .dot { stroke: none; }
.start { fill: #c50; } .ideal { stroke: var(--dim); stroke-dasharray: 3 3; } td .tick { font-size: 9px; } small { color: var(--dim); }`;

/** A row per parameter and pass, a plot per horizon. */
export function curveTable(
  curves: readonly Curve[],
  horizons: readonly string[],
  title: (horizon: string) => string,
  wanted: "lower" | "higher",
): Markup {
  const rounds = new Map<string, Curve[]>();
  for (const curve of curves) {
    const round = `${curve.pass} ${curve.parameter}`;
    rounds.set(round, [...(rounds.get(round) ?? []), curve]);
  }
  const rows = [...rounds.values()].map((own) => [
    markup`${own[0].parameter} <small>pass ${own[0].pass + 1}</small>`,
    ...horizons.map((horizon) => curvePlot(own.find((curve) => curve.horizon === horizon)?.points ?? [])),
  ]);
  return markup`<p><small>Value of the parameter to the right, objective upwards (${wanted} is better); the orange dot is the value before. Below: lowest value, range of the objective, highest value.</small></p>
<div class="panel">${table(["parameter", ...horizons.map(title)], rows)}</div>`;
}

/** Points come by ascending value; values that are not numbers are put side by side, in their own order. */
function curvePlot(points: readonly CurvePoint[]): Markup | undefined {
  if (points.length === 0) return undefined;
  const across = points.map(({ value }, i) => (typeof value === "number" ? value : i));
  const up = points.map(({ objective }) => objective);
  const [low, high] = range(up);
  const { x, y } = plotFrame(range(across), [low, high], { size: SIZE, margin: 0 });
  const dots = points.map(({ value, objective, baseline }, i) => {
    const label = markup`<title>${String(value)}: ${objective.toFixed(4)}</title>`;
    return markup`<circle class="${baseline ? "start" : "dot"}" cx="${x(across[i])}" cy="${y(objective)}" r="${baseline ? 3.5 : 2}">${label}</circle>`;
  });
  const { width, height, left, right } = SIZE;
  const ticks = [
    [left, "start", short(points[0])],
    [width / 2, "middle", `${low.toFixed(3)} … ${high.toFixed(3)}`],
    [width - right, "end", short(points[points.length - 1])],
  ].map(
    ([at, anchor, text]) =>
      markup`<text class="tick" x="${at}" y="${height - 3}" text-anchor="${anchor}">${text}</text>`,
  );
  const line = up.map((objective, i) => `${x(across[i])},${y(objective)}`).join(" ");
  return markup`<svg width="${width}" height="${height}"><polyline class="curve" points="${line}"/>${dots}${ticks}</svg>`;
}

/** Mean projections (right) against mean actuals (up), both on one scale. */
export function calibrationPlot(points: readonly (readonly [projected: number, actual: number])[]): Markup | undefined {
  if (points.length === 0) return undefined;
  const both = range(points.flat());
  const { x, y } = plotFrame(both, both, { size: { ...SIZE, height: 90, bottom: 8 }, margin: 0 });
  const dots = points.map(
    ([projected, actual]) => markup`<circle class="dot" cx="${x(projected)}" cy="${y(actual)}" r="2.5"/>`,
  );
  const [low, high] = both;
  return markup`<svg width="175" height="135" viewBox="0 0 175 90"><line class="ideal" x1="${x(low)}" y1="${y(low)}" x2="${x(high)}" y2="${y(high)}"/>${dots}</svg>`;
}

function range(values: readonly number[]): readonly [low: number, high: number] {
  return [Math.min(...values), Math.max(...values)];
}

/** A name that leaves room for the numbers beside it; the dots have it in full. */
function short({ value }: CurvePoint): string {
  const name = String(value);
  return name.length > 8 ? `${name.slice(0, 7)}…` : name;
}
