import {
  buildColumns,
  ColumnEvaluator,
  type Configuration,
  evaluateByPlayer,
  generateSeasons,
  HORIZONS,
  loadSeasons,
  type Metrics,
} from "@coppice/projections";
import {
  alternate,
  type BenchOptions,
  type BenchReport,
  benchReport,
  type Figure,
  goal,
  median,
  medianRatio,
} from "./report.ts";
import { allDifferent, oneByOne } from "./tune/random-configurations.ts";
import { tournamentTime } from "./tune/tournament-time.ts";

export interface TuneBenchOptions extends BenchOptions {
  /** Folder of real seasons (also from COPPICE_TUNE_DATA); otherwise four invented ones of the same size. */
  readonly data?: string | undefined;
}

/** What the published optimiser needs for one configuration over four seasons and four horizons, on one core. */
const PUBLISHED_MS = 28_500;

/** As `coppice tune` has it unless told otherwise. */
const MOST_PASSES = 10;
/** A tournament with all metrics takes so long that one of its rounds says as much as several of the others. */
const MOST_ROUNDS_BY_ORDER = 3;

/** How long a configuration takes over all seasons and five horizons, against the per-player twin, and a tournament. */
export async function tuneBench({
  rounds = 5,
  quick = false,
  data = process.env.COPPICE_TUNE_DATA,
}: TuneBenchOptions = {}): Promise<BenchReport> {
  const seasons = data === undefined ? generateSeasons(1, ["2101", "2102", "2103", "2104"]) : loadSeasons(data).seasons;
  const columns = buildColumns(seasons);
  const evaluator = new ColumnEvaluator(columns);
  const count = quick ? 4 : 60;
  const different = allDifferent(count);
  const similar = oneByOne(count);
  const perConfiguration = (configurations: readonly Configuration[], metrics: Metrics) => {
    const begin = coreMs();
    for (const config of configurations) for (const horizon of HORIZONS) evaluator.evaluate(horizon, config, metrics);
    return (coreMs() - begin) / configurations.length;
  };
  const twin = () => {
    const some = different.slice(0, quick ? 1 : 3);
    const begin = coreMs();
    for (const config of some) for (const horizon of HORIZONS) evaluateByPlayer(seasons, horizon, config, "all");
    return (coreMs() - begin) / some.length;
  };
  perConfiguration(different, "all"); // The first calls are compilation.
  perConfiguration(different, "mae");
  const kernel = await alternate(rounds, {
    all: () => perConfiguration(different, "all"),
    mae: () => perConfiguration(different, "mae"),
    tournament: () => perConfiguration(similar, "all"),
    twin,
  });

  const size = quick
    ? { parameters: 1, testValues: 1, passes: 2 }
    : { parameters: 16, testValues: 20, passes: MOST_PASSES };
  const digests = new Set<string>();
  const timed = (objective: "mae" | "pairwise", workers: number) => async () => {
    const { ms, digest } = await tournamentTime(columns, { ...size, objective, workers });
    digests.add(`${objective} ${digest}`);
    return ms;
  };
  const one = { ...size, parameters: 1, passes: 1, workers: 1 } as const;
  const byError = await alternate(rounds, {
    one: async () => (await tournamentTime(columns, { ...one, objective: "pairwise" })).withStartMs,
    on1: timed("mae", 1),
    on2: timed("mae", 2),
  });
  const byOrder = await alternate(Math.min(rounds, MOST_ROUNDS_BY_ORDER), {
    on1: timed("pairwise", 1),
    on2: timed("pairwise", 2),
  });

  const figures: Record<string, Figure> = {
    seasons: { value: seasons.length, unit: "" },
    "player-weeks": { value: columns.header.rowCount, unit: "" },
    "configuration, all metrics": coreMilliseconds(median(kernel.all)),
    "configuration, error only": coreMilliseconds(median(kernel.mae)),
    "configuration, one parameter changes, all metrics": coreMilliseconds(median(kernel.tournament)),
    "configuration, per-player twin, all metrics": coreMilliseconds(median(kernel.twin)),
    "published optimiser, four horizons": coreMilliseconds(PUBLISHED_MS),
    "one parameter, all metrics, with start": milliseconds(median(byError.one)),
    "full tournament, error only, 1 worker": milliseconds(median(byError.on1)),
    "full tournament, error only, 2 workers": milliseconds(median(byError.on2)),
    "full tournament, all metrics, 1 worker": milliseconds(median(byOrder.on1)),
    "full tournament, all metrics, 2 workers": milliseconds(median(byOrder.on2)),
  };
  return benchReport("tune", rounds, figures, [
    goal("configuration, all metrics", median(kernel.all), "core ms", "<=", 15),
    goal("configuration, error only", median(kernel.mae), "core ms", "<=", 3),
    goal("faster than the per-player twin", medianRatio(kernel.twin, kernel.all), "×", ">=", 10),
    goal("one parameter (105 configurations, 525 evaluations)", median(byError.one), "ms", "<=", 1500),
    goal("2 workers on a full tournament, all metrics", medianRatio(byOrder.on1, byOrder.on2), "×", ">=", 1.8),
    goal("2 workers on a full tournament, error only", medianRatio(byError.on1, byError.on2), "×", ">=", 1.8),
    goal("different answers on 1 and 2 workers", digests.size - 2, "", "<=", 0),
  ]);
}

/** Time this thread has spent on a core: what a configuration costs, however busy the machine is. */
function coreMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function milliseconds(value: number): Figure {
  return { value: Number(value.toPrecision(4)), unit: "ms" };
}

function coreMilliseconds(value: number): Figure {
  return { ...milliseconds(value), unit: "core ms" };
}
