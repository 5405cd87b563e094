import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Search } from "@coppice/engine";
import { isPlainFile } from "@coppice/engine/files";
import { tellSoFar } from "@coppice/engine/records";
import { type Configuration, type Parameter, type Round, type TournamentResult, withValue } from "@coppice/search";
import { horizonName } from "../horizon.ts";
import type { CustomReport } from "../report/custom-report.ts";
import type { TuningReport } from "../report/tuning-report.ts";
import { extentText } from "../report/tuning-text.ts";
import { judgedSeasons } from "../seasons/load.ts";
import { customSearch } from "../tuning/custom-tuning.ts";
import { footballSearch } from "../tuning/football-tuning.ts";
import { objectives as footballObjectives } from "../tuning/objective.ts";
import { REPORT } from "../tuning/prepare-tune.ts";
import { readSpace } from "../tuning/space-file.ts";
import type { TuneOptions } from "../tuning/tuning.ts";
import { customTables, footballTables } from "./report-tables.ts";
import { importanceOf, valuesOf } from "./sampling-view.ts";
import {
  betterThanBefore,
  type Importance,
  type TriedConfiguration,
  type TunedObjective,
  type TunerView,
  thinned,
  type Win,
} from "./tuner-view.ts";

const valueText = (value: unknown) => (value === undefined ? "" : String(value));

/** A tuning over horizons as pages show it; before it has ended, what its journal knows so far. */
export async function tournamentView(
  options: TuneOptions,
  ended: TournamentResult<unknown> | undefined,
  directory: string,
): Promise<TunerView> {
  const isEnded = ended?.parameters !== undefined;
  const result = isEnded ? ended : await soFar(options, directory);
  const horizons = Object.keys(result.configurations);
  const report = reportIn(directory);
  const { better, unit } = wanted(options, report);
  const title = titleOf(options);
  const objectives = horizons.map((horizon): TunedObjective => ({ name: title(horizon), better, unit }));
  const trials = result.trials === undefined ? inRounds(result, horizons) : sampled(result, horizons);
  const wins =
    result.trials === undefined
      ? winsIn(result.rounds, horizons, title)
      : betterThanBefore(objectives, trials).map((win) => {
          return { ...win, pass: 0, parameter: "", value: "", from: title(result.trials?.[win.trial].horizon ?? "") };
        });
  return {
    lead: isEnded ? leadOf(options, result, report) : "It has not ended: what was found so far",
    notes: report === undefined || !("low_accuracy" in report) ? [] : lowNotes(report),
    parameters: result.parameters.map(({ name, domain }) => ({ name, domain })),
    objectives,
    trials: thinned(
      trials,
      objectives,
      wins.map(({ trial }) => trial),
    ),
    tried: trials.length,
    importance:
      result.trials === undefined
        ? importanceInRounds(result.parameters, objectives, trials)
        : importanceOf(
            { parameters: result.parameters, constraints: [] },
            objectives,
            result.trials.map(({ configuration }, i) => ({ configuration, scores: trials[i].scores })),
          ),
    wins,
    best: horizons.map((horizon, objective) => ({
      score: wins.findLast((win) => win.objective === objective)?.score ?? null,
      configuration: JSON.stringify(result.configurations[horizon], null, 1),
    })),
    tables: report === undefined ? [] : "seasons" in report ? footballTables(report) : customTables(report),
    ...(report === undefined || !("seasons" in report)
      ? {}
      : {
          calibration: Object.entries(report.horizons).map(([key, { calibration }]) => ({
            name: title(key),
            bins: calibration.map(({ mean_projected, mean_actual }) => [mean_projected, mean_actual] as const),
          })),
        }),
  };
}

const titleOf = ({ kind }: TuneOptions) => (kind === "football" ? horizonName : (horizon: string) => horizon);

function wanted(options: TuneOptions, report: Report | undefined): Omit<TunedObjective, "name"> {
  if (options.kind === "football") {
    const { wanted: better, title } = footballObjectives[options.objective];
    return { better, unit: title };
  }
  const objective = report?.objective ?? readSpace(options.space).objective;
  return { better: objective === "maximize" ? "higher" : "lower", unit: "score" };
}

type Report = TuningReport | CustomReport;

/** What the tool found out beside the result itself; a link could lead out of the run. */
function reportIn(directory: string): Report | undefined {
  const path = join(directory, REPORT);
  if (!isPlainFile(path)) return undefined;
  // Cast: written by the tool that this run is of.
  return JSON.parse(readFileSync(path, "utf8")) as Report;
}

function leadOf(options: TuneOptions, result: TournamentResult<unknown>, report: Report | undefined): string {
  const how = options.kind === "football" ? (options.sampled?.method ?? "tournament") : "tournament";
  const of = report !== undefined && "seasons" in report ? `; seasons ${report.seasons.join(", ")}` : "";
  const held = report !== undefined && "holdout" in report && report.holdout !== null;
  const extent = report === undefined ? "" : `; ${extentText(report)}${result.converged ? "" : " (limit reached)"}`;
  return `${how}, objective ${report?.objective ?? ""}${of}${held ? `; ${report.holdout} left out` : ""}${extent}`;
}

function lowNotes({ low_accuracy }: TuningReport): readonly string[] {
  return Object.entries(low_accuracy).map(([key, why]) => `Low accuracy on ${horizonName(key)}: ${why}`);
}

/** Every entry of every round, with the whole configuration that it was. */
function inRounds(result: TournamentResult<unknown>, horizons: readonly string[]): TriedConfiguration[] {
  const { parameters, rounds } = result;
  const baselines = new Map<string, Configuration>(Object.entries(result.baseline));
  const trials: TriedConfiguration[] = [];
  for (const { pass, parameter, entries, adopted } of rounds) {
    const index = parameters.findIndex(({ name }) => name === parameter);
    const tried = entries.map(({ horizon, value }) => {
      const baseline = baselines.get(horizon) ?? {};
      return value === undefined ? baseline : withValue(baseline, parameters[index].path, value);
    });
    for (const [i, { horizon, testIndex, objective }] of entries.entries()) {
      trials.push({
        trial: trials.length,
        values: valuesOf(parameters, tried[i]),
        scores: horizons.map((each) => objective[each] ?? null),
        round: { pass, parameter: index, objective: horizons.indexOf(horizon) },
        ...(testIndex === 0 ? { isBaseline: true } : {}),
      });
    }
    for (const [horizon, entry] of Object.entries(adopted)) baselines.set(horizon, tried[entry]);
  }
  return trials;
}

function sampled({ parameters, trials = [] }: TournamentResult<unknown>, horizons: readonly string[]) {
  return trials.map(({ configuration, objective }, trial): TriedConfiguration => {
    const scores = horizons.map((horizon) => objective[horizon] ?? null);
    return { trial, values: valuesOf(parameters, configuration), scores };
  });
}

function winsIn(rounds: readonly Round[], horizons: readonly string[], title: (horizon: string) => string): Win[] {
  let before = 0;
  return rounds.flatMap(({ pass, parameter, entries, adopted }) => {
    const first = before;
    before += entries.length;
    return Object.entries(adopted).map(([horizon, place]) => {
      const { value, horizon: from, objective } = entries[place];
      return {
        objective: horizons.indexOf(horizon),
        trial: first + place,
        score: objective[horizon] ?? Number.NaN,
        ...{ pass, parameter, value: valueText(value), from: title(from) },
      };
    });
  });
}

/** One at a time: how far the objective moved over the values of a parameter. */
function importanceInRounds(
  parameters: readonly Parameter[],
  objectives: readonly TunedObjective[],
  trials: readonly TriedConfiguration[],
): Importance {
  const rounds = Map.groupBy(trials, ({ round }) => `${round?.pass} ${round?.parameter} ${round?.objective}`);
  const shares = objectives.map(() => parameters.map(() => 0));
  for (const own of rounds.values()) {
    const { round } = own[0];
    if (round === undefined) continue;
    const scores = own.flatMap(({ scores }) => scores[round.objective] ?? []);
    if (scores.length === 0) continue;
    const range = scores.reduce((a, b) => Math.max(a, b)) - scores.reduce((a, b) => Math.min(a, b));
    const known = shares[round.objective];
    known[round.parameter] = Math.max(known[round.parameter], range);
  }
  return {
    method:
      "one at a time: how far the objective moved over the values that were tried, everything else as in the horizon's baseline (the largest of the passes); what parameters do only together is not seen",
    unit: objectives[0]?.unit ?? "",
    shares,
  };
}

/** What a run that goes on has found: its search, told what the journal has. */
async function soFar(options: TuneOptions, directory: string): Promise<TournamentResult<unknown>> {
  const search =
    options.kind === "custom"
      ? customSearch(options).search
      : footballSearch(options, () => judgedSeasons(options).tuned.map(({ name }) => name)).search;
  // Cast: the journal is of this search.
  await tellSoFar(search as Search<unknown, unknown, unknown>, directory);
  return search.result();
}
