import { horizonName } from "../horizon.ts";
import { type CustomReport, scoreText } from "../report/custom-report.ts";
import type { HorizonReport, TuningReport } from "../report/tuning-report.ts";
import { figure } from "../report/tuning-text.ts";
import { POSITIONS } from "../seasons/season.ts";
import type { TunerTable } from "./tuner-view.ts";

/** What the football model gained on every horizon, hold-out beside training; then season by season and by position. */
export function footballTables({ horizons, holdout }: TuningReport): readonly TunerTable[] {
  const held =
    holdout === null
      ? []
      : [
          `${holdout}, left out: MAE before`,
          ...["MAE after", "pairwise before", "pairwise after"].map((name) => `${holdout}: ${name}`),
        ];
  return [
    {
      title: "Before and after",
      columns: ["horizon", "MAE before", "MAE after", "pairwise before", "pairwise after", ...held, "last improved by"],
      rows: Object.entries(horizons).map(([key, { baseline, tuned, holdout: left, winner }]) => {
        const sides = [baseline, tuned];
        const leftSides = left === undefined ? [] : [left.baseline, left.tuned];
        return [
          horizonName(key),
          ...[sides, leftSides].flatMap((both) => [
            ...both.map(({ aggregate }) => figure(aggregate.mae)),
            ...both.map(({ aggregate }) => figure(aggregate.overall?.pairwise_accuracy)),
          ]),
          winner === null
            ? "-"
            : `${winner.parameter}${winner.value === null ? "" : ` ${winner.value}`} (from ${horizonName(winner.base_horizon)})`,
        ];
      }),
    },
    ...Object.entries(horizons).map(([key, horizon]) => breakdown(key, horizon)),
  ];
}

function breakdown(key: string, horizon: HorizonReport): TunerTable {
  const { baseline, tuned, baseline_mae_by_position: before, mae_by_position: after } = horizon;
  const seasons = Object.entries(tuned.seasons).map(([season, { mae, overall }]) => [
    season,
    ...[baseline.seasons[season]?.mae, mae, overall?.pairwise_accuracy].map(figure),
  ]);
  const positions = POSITIONS.filter((position) => after[position] !== undefined).map((position) => [
    position,
    ...[before[position], after[position], tuned.aggregate.by_position?.[position]?.pairwise_accuracy].map(figure),
  ]);
  const columns = ["season or position", "MAE before", "MAE after", "pairwise"];
  return {
    title: `By season and position: ${horizonName(key)}`,
    columns,
    rows: [...seasons, ...positions],
    folded: true,
  };
}

export function customTables({ horizons }: CustomReport): readonly TunerTable[] {
  const rows = Object.entries(horizons).map(([horizon, { baseline, tuned }]) => {
    return [horizon, scoreText(baseline), scoreText(tuned)];
  });
  return [{ title: "Before and after", columns: ["horizon", "before", "after"], rows }];
}
