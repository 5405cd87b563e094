import type { Curve } from "@coppice/search";
import { html, tableRow } from "./page-frame.ts";

export const WIDTH = 175;
export const HEIGHT = 90;
const PAD = 8;
/** Room for the line of numbers below a plot. */
const TICKS = 12;

export interface PlotPoint {
  readonly x: number;
  readonly y: number;
}

/** A row per parameter and pass, a plot per horizon. */
export function curveTable(
  curves: readonly Curve[],
  horizons: readonly string[],
  title: (horizon: string) => string,
  better: "lower" | "higher",
): string {
  const rounds = new Map<string, Curve[]>();
  for (const curve of curves) {
    const name = `${html(curve.parameter)} <small>pass ${curve.pass + 1}</small>`;
    rounds.set(name, [...(rounds.get(name) ?? []), curve]);
  }
  const rows = [...rounds].map(([name, own]) =>
    tableRow([name, ...horizons.map((horizon) => plot(own.find((curve) => curve.horizon === horizon)))]),
  );
  return `<p><small>Value of the parameter to the right, objective upwards (${better} is better); the orange dot is the value before. Below: lowest value, range of the objective, highest value.</small></p>
<table>${tableRow(["parameter", ...horizons.map(title)], "th")}
${rows.join("\n")}</table>`;
}

/** From data to pixels, filling the plot. */
export function scale(points: readonly PlotPoint[]): (point: PlotPoint) => [number, number] {
  const xs = points.map((p) => p.x);
  const ys = points.map((p) => p.y);
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const part = (value: number, low: number, high: number) => (high > low ? (value - low) / (high - low) : 0.5);
  return ({ x, y }) => [
    round(PAD + part(x, x0, x1) * (WIDTH - 2 * PAD)),
    round(HEIGHT - PAD - part(y, y0, y1) * (HEIGHT - 2 * PAD)),
  ];
}

/** Values that are no numbers stand side by side, in their own order. */
function plot(curve: Curve | undefined): string {
  const points = (curve?.points ?? []).map(({ value, objective, baseline }, i) => ({
    x: typeof value === "number" ? value : i,
    y: objective,
    baseline,
    name: String(value),
  }));
  if (points.length === 0) return "";
  const at = scale(points);
  const dots = points.map((point) => {
    const [x, y] = at(point);
    const label = `<title>${html(point.name)}: ${point.y.toFixed(4)}</title>`;
    return `<circle class="${point.baseline ? "start" : "dot"}" cx="${x}" cy="${y}" r="${point.baseline ? 3.5 : 2}">${label}</circle>`;
  });
  const line = points.map((point) => at(point).join(",")).join(" ");
  return `<svg width="${WIDTH}" height="${HEIGHT + TICKS}"><polyline class="curve" points="${line}"/>${dots.join("")}${ticks(points)}</svg>`;
}

/** What the plot spans: the values at its ends (points come by ascending value), and the objective between bottom and top. */
function ticks(points: readonly (PlotPoint & { readonly name: string })[]): string {
  const y = HEIGHT + TICKS - 3;
  const text = (x: number, anchor: string, label: string) =>
    `<text class="tick" x="${x}" y="${y}" text-anchor="${anchor}">${html(label)}</text>`;
  const ys = points.map((point) => point.y);
  return [
    text(PAD, "start", short(points[0].name)),
    text(WIDTH / 2, "middle", `${Math.min(...ys).toFixed(3)} … ${Math.max(...ys).toFixed(3)}`),
    text(WIDTH - PAD, "end", short(points[points.length - 1].name)),
  ].join("");
}

/** A name that leaves room for the numbers beside it; the dots have it in full. */
function short(name: string): string {
  return name.length > 8 ? `${name.slice(0, 7)}…` : name;
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
