import { type Configuration, type Curve, curvesOf, type TournamentResult } from "@coppice/search";
import type { Space } from "../tuning/space-file.ts";
import { extentOf } from "./tuning-report.ts";
import { extentText, figureTable } from "./tuning-text.ts";

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

export function scoreText(score: Score): string {
  return score === null ? "-" : String(Number(score.toPrecision(6)));
}
