import { join } from "node:path";
import { JOURNAL_NAME, readJournal } from "@coppice/engine/records";
import { decode } from "@coppice/engine/values";
import {
  type Configuration,
  type Goal,
  importances,
  type Parameter,
  type ParameterValue,
  placeOf,
  pointOf,
  readValues,
  type SearchSpace,
  type StudyResult,
  type Trial,
  type TrialRow,
  valueAt,
} from "@coppice/search";
import { figureText } from "../sampling/findings.ts";
import type { SamplingRecord } from "../sampling/prepare-sampling.ts";
import { goalsOf } from "../sampling/sampling-search.ts";
import { failureLines } from "../sampling/sampling-text.ts";
import { spaceOf } from "../tuning/space-file.ts";
import { betterThanBefore, type Importance, type TriedConfiguration, type TunerView, thinned } from "./tuner-view.ts";

/** A search by samples as pages show it; without a result, what its journal knows so far. */
export function samplingView(
  options: Omit<SamplingRecord, "evaluator">,
  result: StudyResult | undefined,
  directory: string,
): TunerView {
  const space = spaceOf("the space", options.space);
  const goals = goalsOf(options);
  const rows = result?.trials ?? rowsIn(join(directory, JOURNAL_NAME), goals, options.budget?.name);
  const trials = rows.map(({ point, values, failure, budget }, trial): TriedConfiguration => {
    return {
      trial,
      values: valuesOf(space.parameters, point),
      scores: goals.map((_, k) => values?.[k] ?? null),
      ...(failure === undefined ? {} : { failure }),
      ...(budget === undefined ? {} : { budget }),
    };
  });
  const { parameters } = space;
  const objectives = goals.map(({ name, better }) => ({ name, better, unit: "as evaluated" }));
  const wins = betterThanBefore(objectives, trials);
  const failed = rows.filter(({ values }) => values === null).length;
  const { method, seed, window } = options;
  return {
    lead: `${rows.length} trials, ${method}, seed ${seed}, window ${window}: ${result?.ended ?? "it goes on"}`,
    notes: failureLines({ trials: rows, failed, best: null, ended: "" }),
    parameters: parameters.map(({ name, domain }) => ({ name, domain })),
    objectives,
    trials: thinned(trials, objectives, [...wins.map(({ trial }) => trial), ...(result?.front ?? [])]),
    tried: trials.length,
    importance: importanceOf(
      space,
      objectives,
      rows.map(({ point, values }) => ({ configuration: point, scores: values })),
    ),
    wins: wins.map((win) => ({ ...win, pass: 0, parameter: "", value: "", from: "" })),
    best: result === undefined || result.best === null ? [] : [bestOf(rows[result.best], options.budget?.name)],
    ...(result?.front === undefined ? {} : { front: result.front }),
    tables: [],
  };
}

function bestOf({ point, values, spread, budget }: TrialRow, budgetName = "") {
  const around = spread === undefined ? [] : [`± ${figureText(spread[0])}`];
  const spent = budget === undefined ? [] : [`with ${budgetName} ${budget}`];
  const remark = [...around, ...spent].join(" ");
  return {
    score: values?.[0] ?? null,
    configuration: JSON.stringify(point, null, 1),
    ...(remark === "" ? {} : { remark }),
  };
}

/** A configuration's values, parameter by parameter. */
export function valuesOf(parameters: readonly Parameter[], configuration: Configuration) {
  return parameters.map(({ path }) => (valueAt(configuration, path) ?? null) as ParameterValue | null);
}

/** What was judged so far: a point's text is its key. Repeats of a point are trials of their own until the run has ended. */
function rowsIn(journal: string, goals: readonly Goal[], budgetName: string | undefined): TrialRow[] {
  const rows: TrialRow[] = [];
  readJournal(journal, (entry) => {
    if (entry.type !== "completed" && (entry.type !== "failed" || !entry.outcome)) return;
    // Cast: a study's keys are its points as JSON, with the number of a repeat behind.
    const point = JSON.parse(entry.key.slice(0, entry.key.lastIndexOf("}") + 1)) as Configuration;
    const values = entry.type === "failed" ? failureIn(entry.failure) : readValues(decode(entry.value), goals);
    const budget = budgetName === undefined ? undefined : valueAt(point, [budgetName]);
    const spent = typeof budget === "number" ? { budget } : {};
    rows.push(
      typeof values === "string" ? { point, values: null, failure: values, ...spent } : { point, values, ...spent },
    );
  });
  return rows;
}

function failureIn(text: string): string {
  // Cast: the engine writes failures so.
  return (decode(text) as { readonly message: string }).message;
}

/** How much each parameter matters to each objective, where configurations differ in all of them. */
export function importanceOf(
  space: SearchSpace,
  objectives: readonly Pick<Goal, "better">[],
  rows: readonly { readonly configuration: Configuration; readonly scores: readonly (number | null)[] | null }[],
): Importance {
  const known = rows.flatMap(({ configuration, scores }) => {
    const point = pointOf(space, configuration);
    return typeof point === "string" || scores === null ? [] : [{ point, place: placeOf(space, point), scores }];
  });
  return {
    method:
      "share of the variance of the objective's ranks that lies between groups of a parameter's values (correlation ratio, less what chance would give); what parameters do only together is not seen",
    unit: "share of the variance",
    shares: objectives.map(({ better }, k) => {
      const sign = better === "lower" ? 1 : -1;
      const told = known.flatMap(({ point, place, scores }): Trial[] => {
        const score = scores[k];
        return score === null ? [] : [{ point, place, values: [sign * score] }];
      });
      return importances(told, space.parameters.length);
    }),
  };
}
