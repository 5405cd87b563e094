import { horizonName } from "../horizon.ts";
import { POSITIONS } from "../seasons/season.ts";
import { objectives } from "../tuning/objective.ts";
import { curveTable, HEIGHT, scale, WIDTH } from "./curve-plot.ts";
import { html, pageFrame, tableRow } from "./page-frame.ts";
import type { TuningReport } from "./report.ts";
import { figure } from "./report-text.ts";

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
${curveTable(report.curves, keys, title, objectives[report.objective].wanted)}
<h2>Calibration</h2>
<p><small>Tenths of the players by projection: mean projected (right) against mean actual (up); the dashed line is perfect.</small></p>
<table>${tableRow(keys.map(title), "th")}${tableRow(
      keys.map((key) => calibration(report.horizons[key]?.calibration ?? [])),
    )}</table>`,
  );
}

function gainTable(report: TuningReport): string {
  const held = report.holdout === null ? [] : ["left out: MAE before", "after"];
  const header = ["horizon", "MAE before", "after", "pairwise before", "after", ...held, "last improved by"];
  const rows = Object.entries(report.horizons).map(([key, { baseline, tuned, holdout, winner }]) => {
    const sides = [baseline, tuned].map((side) => side.aggregate);
    const heldOut = holdout === undefined ? [] : [holdout.baseline, holdout.tuned];
    return tableRow([
      title(key),
      ...sides.map(({ mae }) => figure(mae)),
      ...sides.map(({ overall }) => figure(overall?.pairwise_accuracy)),
      ...heldOut.map(({ aggregate }) => figure(aggregate.mae)),
      winner === null ? "-" : html(`${winner.parameter} ${winner.value} (from ${title(winner.base_horizon)})`),
    ]);
  });
  return `<table>${tableRow(header, "th")}${rows.join("")}</table>`;
}

function lowAccuracy({ low_accuracy }: TuningReport): string {
  const items = Object.entries(low_accuracy).map(([key, why]) => `<li>${title(key)}: ${html(why)}</li>`);
  return items.length === 0 ? "" : `<p>Low accuracy:</p><ul>${items.join("")}</ul>`;
}

function breakdown(report: TuningReport, key: string): string {
  const horizon = report.horizons[key];
  if (horizon === undefined) return "";
  const { baseline, tuned, baseline_mae_by_position: before, mae_by_position: after } = horizon;
  const row = (name: string, ...values: readonly (number | null | undefined)[]) =>
    tableRow([name, ...values.map(figure)]);
  const seasons = Object.entries(tuned.seasons).map(([season, { mae, overall }]) =>
    row(html(season), baseline.seasons[season]?.mae, mae, overall?.pairwise_accuracy),
  );
  const positions = POSITIONS.filter((position) => after[position] !== undefined).map((position) =>
    row(position, before[position], after[position], tuned.aggregate.by_position?.[position]?.pairwise_accuracy),
  );
  const header = tableRow(["", "MAE before", "after", "pairwise"], "th");
  return `<details><summary>${title(key)}</summary><table>${header}${seasons.join("")}${positions.join("")}</table></details>`;
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
  return html(horizonName(key));
}
