import { HORIZONS, POSITIONS, type TuningReport } from "@coppice/projections";
import { curveTable, HEIGHT, scale, WIDTH } from "./curve-plot.ts";
import { html, pageFrame } from "./page-frame.ts";

/** A tuning report as one page without anything to load: gains, curves, calibration. */
export function reportPage(report: TuningReport): string {
  const keys = Object.keys(report.horizons);
  return pageFrame(
    "Tuning report",
    `<p>Objective ${report.objective}; seasons ${report.seasons.map(html).join(", ")}${
      report.holdout === null ? "" : `; ${html(report.holdout)} left out`
    }; ${report.configurations} configurations, ${report.passes} ${report.passes === 1 ? "pass" : "passes"}${report.converged ? "" : " (bound reached)"}.</p>
<h2>Before and after</h2>
${gainTable(report)}
${lowAccuracy(report)}
<h2>By season and position</h2>
${keys.map((key) => breakdown(report, key)).join("\n")}
<h2>Curves</h2>
${curveTable(report.curves, keys, title, report.objective === "mae" ? "lower" : "higher")}
<h2>Calibration</h2>
<p><small>Tenths of the players by projection: mean projected (right) against mean actual (up); the dashed line is perfect.</small></p>
<table><tr>${keys.map((key) => `<th>${title(key)}</th>`).join("")}</tr><tr>${keys
      .map((key) => `<td>${calibration(report.horizons[key]?.calibration ?? [])}</td>`)
      .join("")}</tr></table>`,
  );
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

function title(key: string): string {
  return html(HORIZONS.find((horizon) => horizon.key === key)?.name ?? key);
}
