import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "@coppice/engine";
import { type Configuration, drawnValues, type Objective, outsideDomain, Tournament } from "@coppice/search";
import { chosenParameters } from "./chosen-parameters.ts";
import { customPage, customReport, customText, type Score } from "./custom-report.ts";
import { readGivenValues } from "./given-values.ts";
import type { TuneJob } from "./job.ts";
import { readSpace, type Space } from "./space.ts";
import type { CustomOptions } from "./tune-options.ts";

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
    notices: [...baselineNotices(space), ...(given?.notices ?? [])],
    titles: Object.fromEntries(horizons.map((horizon) => [horizon, horizon])),
    objective: space.objective === "minimize" ? "lowest" : "highest",
    keep: (_, standing) => writeWinners(options.output, standing.configurations),
    finish: (result) => {
      const report = customReport(space, horizons, result);
      writeWinners(options.output, result.configurations);
      writeFileSync(join(options.output, "report.json"), `${JSON.stringify(report, null, 2)}\n`);
      writeFileSync(join(options.output, "report.html"), customPage(report));
      return { report, text: customText(report, options.output) };
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
