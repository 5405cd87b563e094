import { type Configuration, type Curve, curvesOf, type TournamentResult } from "@coppice/search";
import type { Space } from "../tuning/space-file.ts";
import { curveTable } from "./curve-plot.ts";
import { html, pageFrame, tableRow } from "./page-frame.ts";
import { figureTable } from "./report-text.ts";

/** A horizon's score; null when the configuration could not be judged there, which never wins. */
export type Score = number | null;

/** What a tournament with somebody's own evaluator found. */
export interface CustomReport {
  readonly objective: Space["objective"];
  readonly configurations: number;
  readonly passes: number;
  readonly converged: boolean;
  readonly horizons: Readonly<
    Record<string, { readonly baseline: Score; readonly tuned: Score; readonly configuration: Configuration }>
  >;
  readonly curves: readonly Curve[];
}

export function customReport(
  { objective }: Space,
  horizons: readonly string[],
  result: TournamentResult<Score>,
): CustomReport {
  const first = result.rounds[0];
  const entries = horizons.map((horizon) => {
    const start = first?.entries.find((entry) => entry.horizon === horizon && entry.testIndex === 0);
    return [
      horizon,
      {
        baseline: start?.objective[horizon] ?? null,
        tuned: result.best[horizon]?.result ?? null,
        configuration: result.configurations[horizon] ?? {},
      },
    ] as const;
  });
  return {
    objective,
    configurations: result.rounds.reduce((sum, round) => sum + round.entries.length, 0),
    passes: result.passes,
    converged: result.converged,
    horizons: Object.fromEntries(entries),
    curves: result.rounds.flatMap(curvesOf),
  };
}

/** The report as text for people. */
export function customText(report: CustomReport, output: string): string {
  const rows = Object.entries(report.horizons).map(([horizon, { baseline, tuned }]) => [
    horizon,
    figure(baseline),
    figure(tuned),
  ]);
  return [
    extent(report),
    "",
    figureTable(["horizon", "before", "after"], rows),
    "",
    `Winners, report.json and report.html are in ${output}`,
  ].join("\n");
}

/** The report as a page: gains, winners, curves. */
export function customPage(report: CustomReport): string {
  const horizons = Object.keys(report.horizons);
  const better = report.objective === "minimize" ? "lower" : "higher";
  const gains = Object.entries(report.horizons).map(([horizon, { baseline, tuned }]) =>
    tableRow([html(horizon), figure(baseline), figure(tuned)]),
  );
  const winners = Object.entries(report.horizons).map(
    ([horizon, { configuration }]) =>
      `<details><summary>${html(horizon)}</summary><pre>${html(JSON.stringify(configuration, null, 2))}</pre></details>`,
  );
  return pageFrame(
    "Tuning report",
    `<p>To ${report.objective}; ${extent(report)}${report.converged ? "" : " (bound reached)"}.</p>
<h2>Before and after</h2>
<table>${tableRow(["horizon", "before", "after"], "th")}${gains.join("")}</table>
<h2>Winners</h2>
${winners.join("\n")}
<h2>Curves</h2>
${curveTable(report.curves, horizons, html, better)}`,
  );
}

function extent({ configurations, passes }: CustomReport): string {
  return `${configurations} configurations in ${passes} ${passes === 1 ? "pass" : "passes"}`;
}

function figure(score: Score): string {
  return score === null ? "-" : String(Number(score.toPrecision(6)));
}
