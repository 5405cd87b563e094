import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "@coppice/engine";
import {
  type Configuration,
  curvesOf,
  drawnValues,
  type Objective,
  outsideDomain,
  Tournament,
  type TournamentResult,
} from "@coppice/search";
import { chosenParameters } from "./chosen-parameters.ts";
import { readGivenValues } from "./given-values.ts";
import type { TuneJob } from "./job.ts";
import { figureTable } from "./report-text.ts";
import { readSpace, type Space } from "./space.ts";
import type { CustomOptions } from "./tune-options.ts";

/** A horizon's score; null when the configuration could not be judged there, which never wins. */
type Score = number | null;

/** Prepares tuning with a user's own evaluator and parameter space. */
export function customJob(options: CustomOptions): TuneJob<Score> {
  if (!existsSync(options.evaluator)) throw new UsageError(`there is no evaluator module at ${options.evaluator}`);
  const space = readSpace(options.space);
  const horizons = options.horizons ?? space.horizons;
  const unknown = horizons.find((horizon) => !space.horizons.includes(horizon));
  if (unknown !== undefined) throw new UsageError(`unknown horizon ${unknown}: ${space.horizons.join(", ")}`);
  const parameters = chosenParameters(space.parameters, options.params, options.numParams);
  const given =
    options.candidates === undefined
      ? undefined
      : readGivenValues(options.candidates, parameters, horizons, (name) =>
          horizons.includes(name) ? name : undefined,
        );
  const hash = createHash("sha256")
    .update(space.text)
    .update(readFileSync(options.evaluator))
    .update(given?.text ?? "");
  return {
    tournament: new Tournament<Score>({
      horizons,
      parameters,
      baseline: space.baselines,
      values: given?.values ?? drawnValues(options.seed, options.testValues),
      objective: space.objective === "minimize" ? lowest : highest,
      maxPasses: options.maxPasses,
    }),
    evaluator: options.evaluator,
    context: space.context,
    inputs: hash.digest("hex"),
    notices: baselineNotices(space),
    titles: Object.fromEntries(horizons.map((horizon) => [horizon, horizon])),
    objective: space.objective === "minimize" ? "lowest" : "highest",
    keep: (_, standing) => writeWinners(options.output, standing.configurations),
    finish: (result) => {
      const report = customReport(space, horizons, result);
      writeWinners(options.output, result.configurations);
      writeFileSync(join(options.output, "report.json"), `${JSON.stringify(report, null, 2)}\n`);
      return { report, text: reportText(report, options.output) };
    },
  };
}

const lowest: Objective<Score> = {
  better: (score, best) => isScore(score) && (best === undefined || best === null || score < best),
  value: (score) => (isScore(score) ? score : null),
};

const highest: Objective<Score> = {
  better: (score, best) => isScore(score) && (best === undefined || best === null || score > best),
  value: (score) => (isScore(score) ? score : null),
};

function isScore(score: unknown): score is number {
  return typeof score === "number" && Number.isFinite(score);
}

function baselineNotices(space: Space): readonly string[] {
  return space.horizons.flatMap((horizon) =>
    space.parameters.flatMap(({ name, path, domain }) => {
      const value = path.reduce<unknown>(
        (at, key) => (at as Configuration | undefined)?.[key],
        space.baselines[horizon],
      );
      const right = value === undefined ? undefined : outsideDomain(domain, value);
      return right === undefined ? [] : [`${horizon} starts with ${name} = ${String(value)}, which is not ${right}`];
    }),
  );
}

function writeWinners(output: string, configurations: Readonly<Record<string, Configuration>>): void {
  mkdirSync(output, { recursive: true });
  for (const [horizon, configuration] of Object.entries(configurations)) {
    const file = `${horizon.replaceAll(/[^A-Za-z0-9._-]+/g, "-")}.json`;
    writeFileSync(join(output, file), `${JSON.stringify(configuration, null, 2)}\n`);
  }
}

interface CustomReport {
  readonly objective: string;
  readonly configurations: number;
  readonly passes: number;
  readonly converged: boolean;
  readonly horizons: Readonly<
    Record<string, { readonly baseline: Score; readonly tuned: Score; readonly configuration: Configuration }>
  >;
  readonly curves: unknown;
}

function customReport(space: Space, horizons: readonly string[], result: TournamentResult<Score>): CustomReport {
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
    objective: space.objective,
    configurations: result.rounds.reduce((sum, round) => sum + round.entries.length, 0),
    passes: result.passes,
    converged: result.converged,
    horizons: Object.fromEntries(entries),
    curves: result.rounds.flatMap(curvesOf),
  };
}

function reportText(report: CustomReport, output: string): string {
  const figure = (score: Score) => (score === null ? "-" : String(Number(score.toPrecision(6))));
  const rows = Object.entries(report.horizons).map(([horizon, { baseline, tuned }]) => [
    horizon,
    figure(baseline),
    figure(tuned),
  ]);
  return [
    `${report.configurations} configurations in ${report.passes} ${report.passes === 1 ? "pass" : "passes"}`,
    "",
    figureTable(["horizon", "before", "after"], rows),
    "",
    `Winners and report.json are in ${output}`,
  ].join("\n");
}
