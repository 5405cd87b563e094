import { UsageError } from "@coppice/engine/usage-error";
import type { HorizonAccuracy } from "../accuracy/accuracy.ts";
import { chosenHorizons } from "../horizon.ts";
import { figure, figureTable } from "../report/tuning-text.ts";
import { judgedSeasons, type SeasonChoice } from "../seasons/load.ts";
import { type Answer, measureEach } from "./measure-folder.ts";

/** Two configurations (files or folders) on the same seasons, horizon by horizon. */
export function compareFolders(
  [a, b, ...more]: readonly string[],
  { data, ...rest }: Partial<SeasonChoice> & { readonly horizons?: readonly string[] },
): Answer {
  if (a === undefined || b === undefined || more.length > 0) {
    const count = [a, b].filter((path) => path !== undefined).length + more.length;
    throw new UsageError(`--compare takes two folders (or files), not ${count}`);
  }
  if (data === undefined) throw new UsageError("--data is missing: the seasons to compare on");
  const choice = { ...rest, data };
  const { seasons, warnings } = judgedSeasons(choice);
  const { results, notices } = measureEach([a, b], chosenHorizons(choice.horizons), seasons);
  const compared = results.map(({ horizon, sides: [left, right] }) => ({
    horizon,
    left,
    right,
    won: won(left, right),
  }));
  const entries = compared.map(({ horizon, left, right, won }) => [
    horizon.key,
    { a: left, b: right, seasons_won_by_b: won },
  ]);
  const rows = compared.map(({ horizon, left, right, won }) => [
    horizon.name,
    figure(left.aggregate.mae),
    figure(right.aggregate.mae),
    `${((right.aggregate.mae / left.aggregate.mae - 1) * 100).toFixed(2)}%`,
    `${won}/${Object.keys(right.seasons).length}`,
    figure(left.aggregate.overall?.pairwise_accuracy),
    figure(right.aggregate.overall?.pairwise_accuracy),
  ]);
  const header = ["horizon", "MAE A", "MAE B", "change", "seasons B wins", "pairwise A", "pairwise B"];
  return {
    document: { a, b, horizons: Object.fromEntries(entries) },
    text: `A: ${a}\nB: ${b}\n\n${figureTable(header, rows)}`,
    warnings: [...warnings, ...notices],
  };
}

/** Seasons in which the right side has the lower error. */
function won(left: HorizonAccuracy, right: HorizonAccuracy): number {
  return Object.entries(right.seasons).filter(([season, { mae }]) => mae < (left.seasons[season]?.mae ?? mae)).length;
}
