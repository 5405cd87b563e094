import { UsageError } from "@coppice/engine";
import { buildColumns, ColumnEvaluator, type HorizonAccuracy, readConfiguration } from "@coppice/projections";
import { exitCode } from "../exit-code.ts";
import { printJson } from "../session/print-json.ts";
import { readParameters } from "./evaluate.ts";
import { checkPreseason, chosenHorizons } from "./football-job.ts";
import { judgedSeasons } from "./judged-seasons.ts";
import { figureTable } from "./report-text.ts";

interface CompareFlags {
  readonly compare: readonly string[];
  readonly data?: string;
  readonly horizons?: readonly string[];
  readonly excludeLowCoverageWeeks?: boolean;
  readonly json?: boolean;
}

/** `coppice tune --compare A B`: both on the same data, horizon by horizon. */
export function compare(flags: CompareFlags): number {
  const [a, b, ...more] = flags.compare;
  if (a === undefined || b === undefined || more.length > 0) {
    throw new UsageError(`--compare takes two folders (or files), not ${flags.compare.length}`);
  }
  if (flags.data === undefined) throw new UsageError("--data is missing: the seasons to compare on");
  const horizons = chosenHorizons(flags.horizons);
  const { seasons } = judgedSeasons(flags.data, flags.excludeLowCoverageWeeks);
  checkPreseason(horizons, seasons);
  const sides = [a, b].map((path) => ({ path, parameters: readParameters(path, horizons) }));
  const evaluator = new ColumnEvaluator(buildColumns(seasons));
  const results = horizons.map((horizon) => {
    const [left, right] = sides.map(({ path, parameters }) =>
      evaluator.evaluate(horizon, readConfiguration(parameters[horizon.name], path), "all"),
    );
    return { horizon, left, right, seasonsWon: seasonsWon(left, right) };
  });
  if (flags.json === true) {
    const entries = results.map(({ horizon, left, right, seasonsWon }) => [
      horizon.key,
      { a: left, b: right, seasons_won_by_b: seasonsWon },
    ]);
    printJson({ a, b, horizons: Object.fromEntries(entries) });
    return exitCode.done;
  }
  const rows = results.map(({ horizon, left, right, seasonsWon }) => [
    horizon.name,
    left.aggregate.mae.toFixed(4),
    right.aggregate.mae.toFixed(4),
    `${((right.aggregate.mae / left.aggregate.mae - 1) * 100).toFixed(2)}%`,
    `${seasonsWon}/${seasons.length}`,
    figure(left),
    figure(right),
  ]);
  const header = ["horizon", "MAE A", "MAE B", "change", "seasons B wins", "pairwise A", "pairwise B"];
  process.stdout.write(`A: ${a}\nB: ${b}\n\n${figureTable(header, rows)}\n`);
  return exitCode.done;
}

/** Seasons in which the right side has the lower error. */
function seasonsWon(left: HorizonAccuracy, right: HorizonAccuracy): number {
  return Object.entries(right.seasons).filter(([season, { mae }]) => mae < (left.seasons[season]?.mae ?? mae)).length;
}

function figure({ aggregate }: HorizonAccuracy): string {
  return aggregate.overall?.pairwise_accuracy?.toFixed(4) ?? "-";
}
