import { HORIZONS, POSITIONS, type TuningReport } from "@coppice/projections";
import type { Curve } from "@coppice/search";

const WIDTH = 175;
const HEIGHT = 90;
const PAD = 8;
/** Room for the line of numbers below a plot. */
const TICKS = 12;

/** A tuning report as one page without anything to load: gains, curves, calibration. */
export function reportPage(report: TuningReport): string {
  const keys = Object.keys(report.horizons);
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Tuning report</title>
<style>
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:1240px;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse;margin:1rem 0}td,th{padding:.25rem .7rem;text-align:right;border-bottom:1px solid #ddd}
td:first-child,th:first-child{text-align:left}
svg{display:block}.curve{fill:none;stroke:#2a7;stroke-width:1.5}.dot{fill:#2a7}.start{fill:#c50}.ideal{stroke:#bbb;stroke-dasharray:3 3}
small{color:#666}.tick{font-size:9px;fill:#888}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}td,th{border-color:#444}small{color:#999}}
</style>
<h1>Tuning report</h1>
<p>Objective ${report.objective}; seasons ${report.seasons.map(html).join(", ")}${
    report.holdout === null ? "" : `; ${html(report.holdout)} left out`
  }; ${report.configurations} configurations, ${report.passes} ${report.passes === 1 ? "pass" : "passes"}${report.converged ? "" : " (bound reached)"}.</p>
<h2>Before and after</h2>
${gainTable(report)}
${lowAccuracy(report)}
<h2>By season and position</h2>
${keys.map((key) => breakdown(report, key)).join("\n")}
<h2>Curves</h2>
<p><small>Value of the parameter to the right, objective upwards (${report.objective === "mae" ? "lower" : "higher"} is better); the orange dot is the value before. Below: lowest value, range of the objective, highest value.</small></p>
<table><tr><th>parameter</th>${keys.map((key) => `<th>${title(key)}</th>`).join("")}</tr>
${curveRows(report.curves, keys)}</table>
<h2>Calibration</h2>
<p><small>Tenths of the players by projection: mean projected (right) against mean actual (up); the dashed line is perfect.</small></p>
<table><tr>${keys.map((key) => `<th>${title(key)}</th>`).join("")}</tr><tr>${keys
    .map((key) => `<td>${calibration(report.horizons[key]?.calibration ?? [])}</td>`)
    .join("")}</tr></table>
</html>
`;
}

function gainTable(report: TuningReport): string {
  const held = report.holdout === null ? "" : "<th>left out: MAE before</th><th>after</th>";
  const rows = Object.entries(report.horizons).map(([key, { baseline, tuned, holdout, winner }]) => {
    const cells = [
      baseline.aggregate.mae.toFixed(4),
      tuned.aggregate.mae.toFixed(4),
      baseline.aggregate.overall?.pairwise_accuracy?.toFixed(4) ?? "-",
      tuned.aggregate.overall?.pairwise_accuracy?.toFixed(4) ?? "-",
      ...(holdout === undefined
        ? []
        : [holdout.baseline.aggregate.mae.toFixed(4), holdout.tuned.aggregate.mae.toFixed(4)]),
      winner === null ? "-" : html(`${winner.parameter} ${winner.value} (from ${title(winner.base_horizon)})`),
    ];
    return `<tr><td>${title(key)}</td>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  });
  return `<table><tr><th>horizon</th><th>MAE before</th><th>after</th><th>pairwise before</th><th>after</th>${held}<th>last improved by</th></tr>${rows.join("")}</table>`;
}

function lowAccuracy({ low_accuracy }: TuningReport): string {
  const items = Object.entries(low_accuracy).map(([key, why]) => `<li>${title(key)}: ${html(why)}</li>`);
  return items.length === 0 ? "" : `<p>Low accuracy:</p><ul>${items.join("")}</ul>`;
}

function breakdown(report: TuningReport, key: string): string {
  const horizon = report.horizons[key];
  if (horizon === undefined) return "";
  const seasons = Object.entries(horizon.tuned.seasons).map(
    ([season, { mae, overall }]) =>
      `<tr><td>${html(season)}</td><td>${horizon.baseline.seasons[season]?.mae.toFixed(4) ?? "-"}</td><td>${mae.toFixed(4)}</td><td>${overall?.pairwise_accuracy?.toFixed(4) ?? "-"}</td></tr>`,
  );
  const positions = POSITIONS.filter((position) => horizon.mae_by_position[position] !== undefined).map((position) => {
    const before = horizon.baseline_mae_by_position[position];
    const after = horizon.mae_by_position[position];
    const pairwise = horizon.tuned.aggregate.by_position?.[position]?.pairwise_accuracy;
    return `<tr><td>${position}</td>${[before, after, pairwise].map((value) => `<td>${value?.toFixed(4) ?? "-"}</td>`).join("")}</tr>`;
  });
  return `<details><summary>${title(key)}</summary><table><tr><th></th><th>MAE before</th><th>after</th><th>pairwise</th></tr>${seasons.join("")}${positions.join("")}</table></details>`;
}

function curveRows(curves: readonly Curve[], keys: readonly string[]): string {
  const rounds = new Map<string, Curve[]>();
  for (const curve of curves) {
    const name = `${curve.parameter} <small>pass ${curve.pass + 1}</small>`;
    rounds.set(name, [...(rounds.get(name) ?? []), curve]);
  }
  return [...rounds]
    .map(([name, own]) => {
      const cells = keys.map((key) => `<td>${plot(own.find((curve) => curve.horizon === key))}</td>`);
      return `<tr><td>${name}</td>${cells.join("")}</tr>`;
    })
    .join("\n");
}

function plot(curve: Curve | undefined): string {
  const points = (curve?.points ?? []).flatMap(({ value, objective, baseline }) =>
    typeof value === "number" ? [{ x: value, y: objective, baseline }] : [],
  );
  if (points.length === 0) return "";
  const at = scale(points);
  const dots = points.map((point) => {
    const [x, y] = at(point);
    const label = `<title>${point.x}: ${point.y.toFixed(4)}</title>`;
    return `<circle class="${point.baseline ? "start" : "dot"}" cx="${x}" cy="${y}" r="${point.baseline ? 3.5 : 2}">${label}</circle>`;
  });
  const line = points.map((point) => at(point).join(",")).join(" ");
  return `<svg width="${WIDTH}" height="${HEIGHT + TICKS}"><polyline class="curve" points="${line}"/>${dots.join("")}${ticks(points)}</svg>`;
}

/** What the plot spans: the values at its ends, and the objective between bottom and top. */
function ticks(points: readonly { readonly x: number; readonly y: number }[]): string {
  const y = HEIGHT + TICKS - 3;
  const text = (x: number, anchor: string, label: string) =>
    `<text class="tick" x="${x}" y="${y}" text-anchor="${anchor}">${label}</text>`;
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  return [
    text(PAD, "start", String(Math.min(...xs))),
    text(WIDTH / 2, "middle", `${Math.min(...ys).toFixed(3)} … ${Math.max(...ys).toFixed(3)}`),
    text(WIDTH - PAD, "end", String(Math.max(...xs))),
  ].join("");
}

function calibration(bins: TuningReport["horizons"][string]["calibration"]): string {
  if (bins.length === 0) return "";
  const points = bins.map((bin) => ({ x: bin.mean_projected, y: bin.mean_actual }));
  const all = points.flatMap(({ x, y }) => [x, y]);
  const corners = [Math.min(...all), Math.max(...all)].map((v) => ({ x: v, y: v }));
  const at = scale([...points, ...corners]);
  const [from, to] = corners.map(at);
  const dots = points.map((point) => `<circle class="dot" cx="${at(point)[0]}" cy="${at(point)[1]}" r="2.5"/>`);
  return `<svg width="${WIDTH}" height="${HEIGHT * 1.5}" viewBox="0 0 ${WIDTH} ${HEIGHT}"><line class="ideal" x1="${from?.[0]}" y1="${from?.[1]}" x2="${to?.[0]}" y2="${to?.[1]}"/>${dots.join("")}</svg>`;
}

/** From data to pixels, filling the plot. */
function scale(
  points: readonly { readonly x: number; readonly y: number }[],
): (p: { x: number; y: number }) => [number, number] {
  const xs = points.map((p) => p.x);
  const ys = points.map((p) => p.y);
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const part = (value: number, low: number, high: number) => (high > low ? (value - low) / (high - low) : 0.5);
  return ({ x, y }) => [
    round(PAD + part(x, x0, x1) * (WIDTH - 2 * PAD)),
    round(HEIGHT - PAD - part(y, y0, y1) * (HEIGHT - 2 * PAD)),
  ];
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

function title(key: string): string {
  return html(HORIZONS.find((horizon) => horizon.key === key)?.name ?? key);
}

function html(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
