import { type Configuration, HORIZONS, type Metrics, type ObjectiveName } from "@coppice/projections";
import { buildColumns, ColumnEvaluator } from "@coppice/projections/columns";
import { evaluateByPlayer } from "@coppice/projections/twin";
import { alternate, median, medianRatio } from "./measure.ts";
import { type BenchOptions, type BenchReport, benchReport, type Figure, type Goal, goal } from "./report.ts";
import { benchSeasons } from "./tune/bench-seasons.ts";
import { LoneTuner, type TuneTime } from "./tune/lone-tuner.ts";
import { allDifferent, oneByOne } from "./tune/random-configurations.ts";
import { tournamentTime } from "./tune/tournament-time.ts";
import { partOfIdeal } from "./tune/waiting-workers.ts";

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
  parts = [],
  data = process.env.COPPICE_TUNE_DATA,
}: TuneBenchOptions = {}): Promise<BenchReport> {
  const waiting = await waitingGoals(rounds, quick ? 5 : 100);
  if (parts.includes("waiting")) {
    return { ...benchReport("tune", rounds, {}, waiting), partial: "only workers whose evaluations wait" };
  }
  const seasons = benchSeasons(data);
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
  const noted = (objective: ObjectiveName, { ms, digest }: TuneTime) => {
    digests.add(`${objective} ${digest}`);
    return ms;
  };
  const one = { ...size, parameters: 1, passes: 1, workers: 1 } as const;
  const tuners = [await LoneTuner.start(data), await LoneTuner.start(data)] as const;
  // Ours on one and two workers; one tuner that knows nothing of us, and two that know nothing of each other.
  const sides = (objective: ObjectiveName) => {
    const tournament = { ...size, objective };
    const ours = (workers: number) => async () =>
      noted(objective, await tournamentTime(columns, { ...tournament, workers }));
    return {
      on1: ours(1),
      on2: ours(2),
      lone: async () => noted(objective, await tuners[0].run(tournament)),
      both: async () => {
        const times = await Promise.all(tuners.map((tuner) => tuner.run(tournament)));
        return Math.max(...times.map((time) => noted(objective, time)));
      },
    };
  };
  try {
    const byError = await alternate(rounds, {
      one: async () => (await tournamentTime(columns, { ...one, objective: "pairwise" })).withStartMs,
      ...sides("mae"),
    });
    const byOrder = await alternate(Math.min(rounds, MOST_ROUNDS_BY_ORDER), sides("pairwise"));
    const error = speedUps(byError);
    const order = speedUps(byOrder);
    return benchReport(
      "tune",
      rounds,
      {
        seasons: { value: seasons.length, unit: "" },
        "player-weeks": { value: columns.header.rowCount, unit: "" },
        "configuration, all metrics": coreMilliseconds(median(kernel.all)),
        "configuration, error only": coreMilliseconds(median(kernel.mae)),
        "configuration, one parameter changes, all metrics": coreMilliseconds(median(kernel.tournament)),
        "configuration, per-player twin, all metrics": coreMilliseconds(median(kernel.twin)),
        "published optimiser, four horizons": coreMilliseconds(PUBLISHED_MS),
        "one parameter, all metrics, with start": milliseconds(median(byError.one)),
        ...tournamentFigures("error only", byError, error),
        ...tournamentFigures("all metrics", byOrder, order),
      },
      [
        goal("configuration, all metrics", median(kernel.all), "core ms", "<=", 15),
        goal("configuration, error only", median(kernel.mae), "core ms", "<=", 3),
        goal("faster than the per-player twin", medianRatio(kernel.twin, kernel.all), "×", ">=", 10),
        goal("one parameter (105 configurations, 525 evaluations)", median(byError.one), "ms", "<=", 1500),
        goal("2 workers on a full tournament, all metrics", order.ours, "×", ">=", 1.8),
        goal("2 workers on a full tournament, error only", error.ours, "×", ">=", 1.8),
        ...waiting,
        goal("different answers on 1 and 2 workers", digests.size - 2, "", "<=", 0),
      ],
    );
  } finally {
    for (const tuner of tuners) tuner.close();
  }
}

/** What 2, 4 and 8 workers reach where nothing but the engine limits them. */
async function waitingGoals(rounds: number, each: number): Promise<readonly Goal[]> {
  const reached = await alternate(rounds, {
    2: () => partOfIdeal(2, each),
    4: () => partOfIdeal(4, each),
    8: () => partOfIdeal(8, each),
  });
  return Object.entries(reached).map(([workers, parts]) =>
    goal(`${workers} workers whose evaluations wait 10 ms`, median(parts), "of ideal", ">=", 0.95),
  );
}

type TournamentTimes = Readonly<Record<"on1" | "on2" | "lone" | "both", readonly number[]>>;

interface SpeedUps {
  /** Two workers against one. */
  readonly ours: number;
  /** Two independent tuners at once against one after the other: what the machine gives anybody. */
  readonly control: number;
  readonly against: number;
}

function speedUps({ on1, on2, lone, both }: TournamentTimes): SpeedUps {
  const ours = on1.map((ms, round) => ms / on2[round]);
  const control = lone.map((ms, round) => (2 * ms) / both[round]);
  return { ours: median(ours), control: median(control), against: medianRatio(ours, control) };
}

function tournamentFigures(name: string, times: TournamentTimes, { control, against }: SpeedUps) {
  return {
    [`full tournament, ${name}, 1 worker`]: milliseconds(median(times.on1)),
    [`full tournament, ${name}, 2 workers`]: milliseconds(median(times.on2)),
    [`full tournament, ${name}, 1 independent tuner`]: milliseconds(median(times.lone)),
    [`full tournament, ${name}, 2 independent tuners at once`]: milliseconds(median(times.both)),
    // Two workers that share what is proposed can hardly gain more than two tuners that share nothing.
    [`${name}: 2 independent tuners at once against one after the other`]: ratio(control),
    [`${name}: gain of 2 workers against that`]: ratio(against),
  };
}

/** Time this thread has spent on a core: what a configuration costs, however busy the machine is. */
function coreMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function milliseconds(value: number): Figure {
  return { value: Number(value.toPrecision(4)), unit: "ms" };
}

function ratio(value: number): Figure {
  return { value: Number(value.toPrecision(4)), unit: "×" };
}

function coreMilliseconds(value: number): Figure {
  return { ...milliseconds(value), unit: "core ms" };
}
