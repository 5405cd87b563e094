import { type Markup, markup, page, table } from "@coppice/engine/page";
import { horizonName } from "../horizon.ts";
import { POSITIONS } from "../seasons/season.ts";
import { objectives } from "../tuning/objective.ts";
import { calibrationPlot, curveTable, plotStyle } from "./curve-plot.ts";
import type { HorizonReport, TuningReport } from "./tuning-report.ts";
import { extentText, figure, numbers } from "./tuning-text.ts";

/** A tuning report as one page without anything to load: gains, curves, calibration. */
export function reportPage(report: TuningReport): string {
  const keys = Object.keys(report.horizons);
  const reports = Object.entries(report.horizons);
  const held = report.holdout === null ? "" : `; ${report.holdout} left out`;
  const bound = report.converged ? "" : " (limit reached)";
  const calibrations = reports.map(([, { calibration }]) =>
    calibrationPlot(calibration.map((bin) => [bin.mean_projected, bin.mean_actual])),
  );
  return page({
    title: "Tuning report",
    style: plotStyle,
    lead: `Objective ${report.objective}; seasons ${report.seasons.join(", ")}${held}; ${extentText(report)}${bound}.`,
    body: markup`<h2>Before and after</h2>
<div class="panel">${gainTable(report)}</div>
${lowAccuracy(report)}
<h2>By season and position</h2>
${reports.map(([key, horizon]) => breakdown(key, horizon))}
<h2>Curves</h2>
${curveTable(report.curves, keys, horizonName, objectives[report.objective].wanted)}
<h2>Calibration</h2>
<p><small>Tenths of the players by projection: mean projected (right) against mean actual (up); the dashed line is perfect.</small></p>
<div class="panel">${table(keys.map(horizonName), [calibrations])}</div>`,
  });
}

function gainTable(report: TuningReport): Markup {
  const held = report.holdout === null ? [] : ["left out: MAE before", "after"];
  const figures = numbers(["MAE before", "after", "pairwise before", "after", ...held]);
  const rows = Object.entries(report.horizons).map(([key, { baseline, tuned, holdout, winner }]) => {
    const sides = [baseline, tuned].map((side) => side.aggregate);
    const heldOut = holdout === undefined ? [] : [holdout.baseline, holdout.tuned];
    return [
      horizonName(key),
      ...sides.map(({ mae }) => figure(mae)),
      ...sides.map(({ overall }) => figure(overall?.pairwise_accuracy)),
      ...heldOut.map(({ aggregate }) => figure(aggregate.mae)),
      winner === null
        ? "-"
        : `${winner.parameter}${winner.value === null ? "" : ` ${winner.value}`} (from ${horizonName(winner.base_horizon)})`,
    ];
  });
  return table(["horizon", ...figures, "last improved by"], rows);
}

function lowAccuracy({ low_accuracy }: TuningReport): Markup | undefined {
  const items = Object.entries(low_accuracy).map(([key, why]) => markup`<li>${horizonName(key)}: ${why}</li>`);
  return items.length === 0 ? undefined : markup`<p>Low accuracy:</p><ul>${items}</ul>`;
}

function breakdown(key: string, horizon: HorizonReport): Markup {
  const { baseline, tuned, baseline_mae_by_position: before, mae_by_position: after } = horizon;
  const seasons = Object.entries(tuned.seasons).map(([season, { mae, overall }]) => [
    season,
    ...[baseline.seasons[season]?.mae, mae, overall?.pairwise_accuracy].map(figure),
  ]);
  const positions = POSITIONS.filter((position) => after[position] !== undefined).map((position) => [
    position,
    ...[before[position], after[position], tuned.aggregate.by_position?.[position]?.pairwise_accuracy].map(figure),
  ]);
  const columns = ["", ...numbers(["MAE before", "after", "pairwise"])];
  return markup`<details><summary>${horizonName(key)}</summary>${table(columns, [...seasons, ...positions])}</details>`;
}
