import { statSync } from "node:fs";
import {
  buildColumns,
  ColumnEvaluator,
  HORIZONS,
  type Horizon,
  type HorizonAccuracy,
  type HorizonParameters,
  POSITIONS,
  readBaseline,
  readConfiguration,
  readConfigurationFile,
  type Season,
} from "@coppice/projections";
import { exitCode } from "../exit-code.ts";
import { printJson } from "../session/print-json.ts";
import { checkPreseason, chosenHorizons } from "./football-job.ts";
import { judgedSeasons } from "./judged-seasons.ts";
import { figureTable } from "./report-text.ts";

export interface EvaluateFlags {
  readonly data: string;
  readonly config: string;
  readonly horizons?: readonly string[];
  readonly excludeLowCoverageWeeks?: boolean;
  readonly players?: boolean;
  readonly json?: boolean;
}

const PLAYER_COLUMNS = [
  "season",
  "week",
  "player_id",
  "projected",
  "actual",
  "horizon",
  "name",
  "position",
  "team",
] as const;
type PlayerRow = readonly [string, number | null, number, number, number, string, string, string, string];

/** `coppice tune evaluate`: measures and prints; writes nothing. */
export function evaluate(flags: EvaluateFlags): number {
  const horizons = chosenHorizons(flags.horizons);
  const { seasons, warnings } = judgedSeasons(flags.data, flags.excludeLowCoverageWeeks);
  checkPreseason(horizons, seasons);
  const parameters = readParameters(flags.config, horizons);
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  const evaluator = new ColumnEvaluator(buildColumns(seasons));
  const players: PlayerRow[] = [];
  const results = Object.fromEntries(
    horizons.map((horizon) => {
      const config = readConfiguration(parameters[horizon.name], flags.config);
      const accuracy = evaluator.evaluate(horizon, config, "all");
      if (flags.players === true) for (const row of playerRows(evaluator, horizon, seasons)) players.push(row);
      return [horizon.key, accuracy];
    }),
  );
  if (flags.json === true) {
    const dump = flags.players === true ? { player_columns: PLAYER_COLUMNS, players } : {};
    printJson({ seasons: seasons.map((s) => s.name), horizons: results, ...dump });
  } else if (flags.players === true) {
    process.stdout.write(`${[PLAYER_COLUMNS, ...players].map((row) => row.map(csvField).join(",")).join("\n")}\n`);
  } else process.stdout.write(`${accuracyText(results)}\n`);
  return exitCode.done;
}

/** Parameters by horizon name: a file serves all horizons, a folder has one file for each. */
export function readParameters(
  path: string,
  horizons: readonly Horizon[],
): Readonly<Record<string, HorizonParameters>> {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  if (!isFile) return readBaseline(path, horizons).horizons;
  const one = readConfigurationFile(path);
  return Object.fromEntries(horizons.map((horizon) => [horizon.name, one]));
}

function* playerRows(evaluator: ColumnEvaluator, horizon: Horizon, seasons: readonly Season[]): Generator<PlayerRow> {
  const { columns, projected } = evaluator;
  for (const [v, view] of columns.header.views.entries()) {
    if (HORIZONS[view.horizon] !== horizon) continue;
    const season = seasons[view.season];
    const week = horizon.weeks === undefined ? null : view.week;
    const end = columns.groupRows[(v + 1) * POSITIONS.length];
    for (let row = columns.groupRows[v * POSITIONS.length]; row < end; row++) {
      const { id, name, position, team } = season.players[columns.player[row]];
      yield [season.name, week, id, projected[row], columns.actual[row], horizon.key, name, position, team];
    }
  }
}

function accuracyText(results: Readonly<Record<string, HorizonAccuracy>>): string {
  const rows = Object.entries(results).flatMap(([key, { aggregate, seasons }]) =>
    [["all", aggregate] as const, ...Object.entries(seasons)].map(([season, accuracy]) => [
      season === "all" ? (HORIZONS.find((h) => h.key === key)?.name ?? key) : "",
      season,
      String(accuracy.player_count),
      accuracy.mae.toFixed(4),
      figure(accuracy.overall?.pairwise_accuracy),
      figure(accuracy.overall?.top_10_accuracy),
      figure(accuracy.overall?.spearman_correlation),
    ]),
  );
  return figureTable(["horizon", "season", "players", "MAE", "pairwise", "top 10", "Spearman"], rows);
}

function figure(value: number | null | undefined): string {
  return value === null || value === undefined ? "-" : value.toFixed(4);
}

function csvField(value: string | number | null): string {
  const text = value === null ? "" : String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
