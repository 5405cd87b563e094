import { markup, page, table } from "@coppice/engine/page";
import { type Configuration, type Curve, curvesOf, type TournamentResult } from "@coppice/search";
import type { Space } from "../tuning/space-file.ts";
import { curveTable, plotStyle } from "./curve-plot.ts";
import { extentOf } from "./tuning-report.ts";
import { extentText, figureTable, numbers } from "./tuning-text.ts";

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
    ...extentOf(result),
    horizons: Object.fromEntries(entries),
    curves: result.rounds.flatMap(curvesOf),
  };
}

/** The report as text for people. */
export function customText(report: CustomReport, output: string): string {
  const rows = Object.entries(report.horizons).map(([horizon, { baseline, tuned }]) => [
    horizon,
    scoreText(baseline),
    scoreText(tuned),
  ]);
  return [
    extentText(report),
    "",
    figureTable(["horizon", "before", "after"], rows),
    "",
    `Winners, report.json and report.html are in ${output}`,
  ].join("\n");
}

/** The report as a page: gains, winners, curves. */
export function customPage(report: CustomReport): string {
  const horizons = Object.entries(report.horizons);
  const gains = horizons.map(([horizon, { baseline, tuned }]) => [horizon, scoreText(baseline), scoreText(tuned)]);
  const winners = horizons.map(
    ([horizon, { configuration }]) =>
      markup`<details><summary>${horizon}</summary><pre>${JSON.stringify(configuration, null, 2)}</pre></details>\n`,
  );
  const wanted = report.objective === "minimize" ? "lower" : "higher";
  const names = Object.keys(report.horizons);
  return page({
    title: "Tuning report",
    style: plotStyle,
    lead: `To ${report.objective}; ${extentText(report)}${report.converged ? "" : " (limit reached)"}.`,
    body: markup`<h2>Before and after</h2>
<div class="panel">${table(["horizon", ...numbers(["before", "after"])], gains)}</div>
<h2>Winners</h2>
${winners}
<h2>Curves</h2>
${curveTable(report.curves, names, (name) => name, wanted)}`,
  });
}

/** A score as people read it: six digits. */
export function scoreText(score: Score): string {
  return score === null ? "-" : String(Number(score.toPrecision(6)));
}
