import { createHash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { commandEvaluator, wrongShape } from "@coppice/engine/command";
import { UsageError } from "@coppice/engine/usage-error";
import { type Configuration, type Objective, outsideDomain, Tournament, valueAt } from "@coppice/search";
import { writeJson } from "../json-file.ts";
import { type CustomReport, customReport, customText, type Score } from "../report/custom-report.ts";
import { readSpace, type Space } from "./space-file.ts";
import { type CustomOptions, chosenParameters, type Tuning } from "./tuning.ts";
import { testValues } from "./values-file.ts";

/** Prepares tuning with a user's own evaluator and parameter space. */
export function customTuning(options: CustomOptions): Tuning<Score, CustomReport> {
  const { output } = options;
  const { evaluator } = options;
  if (typeof evaluator === "string" && !existsSync(evaluator)) {
    throw new UsageError(`there is no evaluator module at ${evaluator}`);
  }
  const { space, horizons, given, search } = customSearch(options);
  const { context } = space;
  checkNames(horizons);
  const inputs = createHash("sha256").update(space.text).update(given.text);
  return {
    tournament: search,
    ...(typeof evaluator === "string"
      ? { evaluator, context }
      : commandEvaluator({ ...evaluator, context, answer: { numbersFor: "horizons" } })),
    inputs: inputs.digest("hex"),
    notices: [...baselineNotices(space), ...given.notices],
    titles: Object.fromEntries(horizons.map((horizon) => [horizon, horizon])),
    objective: space.objective === "minimize" ? "lowest" : "highest",
    keep: (_, bests) => writeWinners(output, bests.configurations),
    report: (result) => customReport(space, horizons, result),
    write(result, report) {
      writeWinners(output, result.configurations);
      writeJson(join(output, "report.json"), report);
    },
    text: (report) => customText(report, output),
  };
}

/** The search alone, and what it is made from. */
export function customSearch(options: CustomOptions) {
  const space = readSpace(options.space);
  const horizons = options.horizons ?? space.horizons;
  const unknown = horizons.find((horizon) => !space.horizons.includes(horizon));
  if (unknown !== undefined) throw new UsageError(`unknown horizon ${unknown}: ${space.horizons.join(", ")}`);
  const parameters = chosenParameters(space.parameters, options);
  const given = testValues(options, parameters, horizons, (name) => (horizons.includes(name) ? name : undefined));
  const search = new Tournament<Score>({
    horizons,
    parameters,
    baseline: space.baselines,
    values: given.values,
    objective: space.objective === "minimize" ? scored((a, b) => a < b) : scored((a, b) => a > b),
    maxPasses: options.maxPasses,
    // What a program prints is looked at where it is read.
    ...(typeof options.evaluator === "string" ? { refuses: wrongScores } : {}),
  });
  return { space, horizons, given, search };
}

function scored(beats: (score: number, best: number) => boolean): Objective<Score> {
  return {
    better: (score, best) => isScore(score) && (best === undefined || best === null || beats(score, best)),
    value: (score) => (isScore(score) ? score : null),
  };
}

function wrongScores(value: unknown, horizons: readonly string[]): string | undefined {
  return wrongShape(value, { horizons }, { numbersFor: "horizons" });
}

/** An evaluator of somebody else's may return anything. */
function isScore(score: unknown): score is number {
  return typeof score === "number" && Number.isFinite(score);
}

function baselineNotices(space: Space): readonly string[] {
  return space.horizons.flatMap((horizon) =>
    space.parameters.flatMap(({ name, path, domain }) => {
      const value = valueAt(space.baselines[horizon] ?? {}, path);
      const right = value === undefined ? undefined : outsideDomain(domain, value);
      return right === undefined ? [] : [`${horizon} starts with ${name} = ${String(value)}, which is not ${right}`];
    }),
  );
}

function writeWinners(output: string, configurations: Readonly<Record<string, Configuration>>): void {
  mkdirSync(output, { recursive: true });
  for (const [horizon, configuration] of Object.entries(configurations)) {
    writeJson(join(output, winnerName(horizon)), configuration);
  }
}

/** Letters and digits of any script stay; what a file name may not have becomes a dash. */
function winnerName(horizon: string): string {
  return `${horizon.replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, "-")}.json`;
}

/** Every horizon has a file for its winner: two that would share one, or the report's, are refused. */
function checkNames(horizons: readonly string[]): void {
  const taken = new Map([["report.json", "the report"]]);
  for (const horizon of horizons) {
    const name = winnerName(horizon).toLowerCase();
    const other = taken.get(name);
    if (other !== undefined) {
      throw new UsageError(`horizon ${horizon}: its winner would be written to ${name}, as ${other} is; rename it`);
    }
    taken.set(name, `horizon ${horizon}`);
  }
}
