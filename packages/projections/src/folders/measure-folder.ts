import { statSync } from "node:fs";
import { csvText } from "@coppice/engine/files";
import type { HorizonAccuracy } from "../accuracy/accuracy.ts";
import { buildColumns } from "../columns/build.ts";
import { ColumnEvaluator } from "../columns/column-evaluator.ts";
import { checkJudged } from "../columns/judged-players.ts";
import { readBaseline, readConfigurationFile } from "../config/baseline.ts";
import { type HorizonParameters, readConfiguration } from "../config/configuration.ts";
import { chosenHorizons, HORIZONS, type Horizon } from "../horizon.ts";
import { figure, figureTable } from "../report/tuning-text.ts";
import { checkPreseason, judgedSeasons, type SeasonChoice } from "../seasons/load.ts";
import { POSITIONS, type Season } from "../seasons/season.ts";

/** What a command has to say: to programs, to people, and on the side. */
export interface Answer {
  readonly document: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly warnings: readonly string[];
}

/** What to measure on which seasons. */
export interface MeasureOptions extends SeasonChoice {
  /** A file for all horizons, or a folder with one for each. */
  readonly config: string;
  readonly horizons?: readonly string[];
  /** Also every player's projection. */
  readonly players?: boolean;
}

const PLAYER_COLUMNS = "season week player_id projected actual horizon name position team".split(" ");
type PlayerRow = readonly [string, number | null, number, number, number, string, string, string, string];

/** Measures one configuration per horizon with all metrics. */
export function measureFolder({ config, players = false, ...choice }: MeasureOptions): Answer {
  const horizons = chosenHorizons(choice.horizons);
  const { seasons, warnings } = judgedSeasons(choice);
  const { evaluator, results, notices } = measureEach([config], horizons, seasons);
  const rows = players ? horizons.flatMap((horizon) => [...playerRows(evaluator, horizon, seasons)]) : [];
  const measured = Object.fromEntries(results.map(({ horizon, sides }) => [horizon.key, sides[0]]));
  const dump = players ? { player_columns: PLAYER_COLUMNS, players: rows } : {};
  return {
    document: { seasons: seasons.map((season) => season.name), horizons: measured, ...dump },
    text: players
      ? csvText(PLAYER_COLUMNS, rows).trimEnd()
      : accuracyText(results.map(({ horizon, sides }) => [horizon, sides[0]])),
    warnings: [...warnings, ...notices],
  };
}

/** Configurations on the same seasons, horizon by horizon; each path is a file, or a folder with a file for each. */
export function measureEach(
  paths: readonly string[],
  horizons: readonly Horizon[],
  seasons: readonly Season[],
  read: (path: string, horizons: readonly Horizon[]) => Parameters = readParameters,
): {
  readonly evaluator: ColumnEvaluator;
  readonly results: readonly { readonly horizon: Horizon; readonly sides: readonly HorizonAccuracy[] }[];
  readonly notices: readonly string[];
} {
  checkPreseason(horizons, seasons);
  const configurations = paths.map((path) => ({ path, parameters: read(path, horizons) }));
  const columns = buildColumns(seasons);
  const notices = checkJudged(columns, horizons);
  const evaluator = new ColumnEvaluator(columns);
  const results = horizons.map((horizon) => ({
    horizon,
    sides: configurations.map(({ path, parameters }) =>
      evaluator.evaluate(horizon, readConfiguration(parameters[horizon.name], path), "all"),
    ),
  }));
  return { evaluator, results, notices };
}

/** By horizon name. */
type Parameters = Readonly<Record<string, HorizonParameters>>;

function readParameters(path: string, horizons: readonly Horizon[]): Parameters {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  if (!isFile) return readBaseline(path, horizons).horizons;
  const one = readConfigurationFile(path);
  return Object.fromEntries(horizons.map((horizon) => [horizon.name, one]));
}

/** The players of a horizon as they were projected last. */
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

function accuracyText(results: readonly (readonly [Horizon, HorizonAccuracy])[]): string {
  const rows = results.flatMap(([{ name }, { aggregate, seasons }]) =>
    [["all", aggregate] as const, ...Object.entries(seasons)].map(([season, accuracy]) => [
      season === "all" ? name : "",
      season,
      String(accuracy.player_count),
      figure(accuracy.mae),
      figure(accuracy.overall?.pairwise_accuracy),
      figure(accuracy.overall?.top_10_accuracy),
      figure(accuracy.overall?.spearman_correlation),
    ]),
  );
  return figureTable(["horizon", "season", "players", "MAE", "pairwise", "top 10", "Spearman"], rows);
}
