import { resolve } from "node:path";
import type { CommandOptions } from "@coppice/engine/command";
import { onlyGiven } from "@coppice/engine/only-given";
import { UsageError } from "@coppice/engine/usage-error";
import {
  type Answer,
  type Budget,
  type Configuration,
  type MethodName,
  pointOf,
  type StudyResult,
  suggestedMethod,
} from "@coppice/search";
import { parseData, readText } from "../json-file.ts";
import { type PlainParameters, readPlainSpace, spaceOf } from "../tuning/space-file.ts";
import { sampledRun } from "./earlier-run.ts";
import { checkHasPoint } from "./sampling-search.ts";

/** What shapes the answer of a search by samples, all of it: the files it was read from may change or go. */
export interface SamplingOptions {
  readonly space: PlainParameters;
  readonly method: MethodName;
  readonly trials: number;
  readonly window: number;
  readonly seed: number;
  /** What evaluates: a module's absolute path, or a program. */
  readonly evaluator: string | CommandOptions;
  /** Where the report goes. */
  readonly output: string;
  readonly repeats?: number;
  readonly patience?: number;
  readonly target?: number;
  readonly budget?: Budget;
  readonly first?: readonly Configuration[];
  /** Trials of an earlier run of the same space. */
  readonly earlier?: readonly Pick<StudyResult["trials"][number], "point" | "values">[];
  /** Answers of the run that this one goes on with. */
  readonly answered?: readonly Answer[];
}

/** What a person chooses: paths from here, runs by name. */
export interface SamplingChoices {
  readonly method?: MethodName | "auto";
  readonly trials?: number;
  readonly window?: number;
  readonly repeats?: number;
  readonly patience?: number;
  readonly target?: number;
  /** `epochs=1..81`, or with another share than a third going on: `epochs=1..64/2`. */
  readonly budget?: string;
  /** A file with points to begin with. */
  readonly first?: string;
  /** A run whose trials are known from the start. */
  readonly from?: string;
  /** A run to go on with. */
  readonly continue?: string;
  /** Which of `seed`, `objective`, `testValues` and `maxPasses` were chosen, and are not only the usual ones. */
  readonly given?: readonly string[];
  /** Of the football model: what a configuration is charged for leaving the baseline. */
  readonly regularize?: number;
  /** Of the football model: leave one season out after the other to choose that charge. */
  readonly crossValidate?: boolean;
}

/** What only a tournament or the football model has. */
interface OthersChoices {
  readonly horizons?: readonly string[];
  readonly params?: readonly string[];
  readonly numParams?: number;
  readonly candidates?: string;
  readonly ranges?: string;
  readonly baseline?: string;
  readonly seasons?: readonly string[];
  readonly holdout?: string;
  readonly given?: readonly string[];
}

/** Where things are, and the seed. */
export interface SamplingPlace extends OthersChoices {
  readonly space?: string;
  readonly evaluator?: string;
  readonly output: string;
  readonly seed: number;
  readonly runDir: string;
}

/** How many points are tried when nobody says. */
export const USUAL_TRIALS = 200;
/** Enough for most machines' workers, and few enough to learn from. */
export const USUAL_WINDOW = 8;

/** Whether anything was chosen that only a search by samples has. */
export function isSampling(choices: SamplingChoices): boolean {
  const { method, trials, window, repeats, patience, target, budget, first, from, continue: run } = choices;
  const { regularize, crossValidate } = choices;
  const given = [
    method,
    trials,
    window,
    repeats,
    patience,
    target,
    budget,
    first,
    from,
    run,
    regularize,
    crossValidate,
  ];
  return given.some((each) => each !== undefined);
}

/** What is chosen, complete, and what there is to say about it. Reads and checks everything, touches nothing. */
export function samplingOptions(
  choices: SamplingChoices & SamplingPlace,
  command: CommandOptions | undefined,
): { readonly options: SamplingOptions; readonly notices: readonly string[] } {
  refuseOthers(choices);
  if (choices.continue !== undefined) return continued(choices, choices.continue, command);
  const { space: path, evaluator, output, seed, trials = USUAL_TRIALS, window = USUAL_WINDOW } = choices;
  if (choices.regularize !== undefined) throw new UsageError("--regularize is for the football model (--data)");
  if (choices.crossValidate !== undefined) throw new UsageError("--cross-validate is for the football model (--data)");
  if (path === undefined) throw new UsageError("--space is missing: a file that says what is searched (YAML or JSON)");
  if (evaluator !== undefined && command !== undefined) {
    throw new UsageError("--evaluator and --command both say what evaluates: give one of them");
  }
  const judge = command === undefined ? evaluator && resolve(evaluator) : { ...command, cwd: resolve(".") };
  if (judge === undefined) throw new UsageError("add --command or --evaluator: what evaluates the points of the space");
  const space = readPlainSpace(path);
  const budget = choices.budget === undefined ? undefined : readBudget(choices.budget, space);
  const objectives = Object.keys(space.objectives ?? {}).length || 1;
  const wanted = choices.method ?? "auto";
  const whole = spaceOf(path, space);
  const suggested = suggestedMethod({ space: whole, objectives, trials, hasBudget: budget !== undefined });
  const method = wanted === "auto" ? suggested.method : wanted;
  const { repeats, patience, target } = choices;
  checkMethod(method, objectives, { repeats, patience, target, budget, from: choices.from });
  const first = choices.first === undefined ? undefined : readPoints(choices.first, space);
  const earlier = choices.from === undefined ? undefined : earlierTrials(choices.from, choices.runDir, space);
  const search = {
    space,
    method,
    trials,
    window,
    seed,
    ...onlyGiven({ repeats, patience, target, budget, first, earlier }),
  };
  checkHasPoint(path, search);
  return {
    options: { ...search, evaluator: judge, output: resolve(output) },
    notices: [
      ...(wanted === "auto" ? [`method ${method}: ${suggested.why}`] : []),
      ...(earlier === undefined ? [] : [`${earlier.length} trials of run ${choices.from} are known from the start`]),
    ],
  };
}

/** Options of the others that always have a value. */
const OTHERS_USUAL: Readonly<Record<string, string>> = {
  objective: "objective",
  testValues: "test-values",
  maxPasses: "max-passes",
};

function refuseOthers({
  numParams,
  horizons,
  params,
  candidates,
  ranges,
  baseline,
  seasons,
  holdout,
  given = [],
}: OthersChoices): void {
  const settled = Object.fromEntries(
    given.flatMap((name) => (name in OTHERS_USUAL ? [[OTHERS_USUAL[name], name]] : [])),
  );
  const others = {
    horizons,
    params,
    "num-params": numParams,
    candidates,
    ranges,
    baseline,
    seasons,
    holdout,
    ...settled,
  };
  const other = Object.entries(others).find(([, value]) => value !== undefined)?.[0];
  if (other === undefined) return;
  throw new UsageError(
    `--${other} is for a tournament or the football model, not for a space that is searched by samples`,
  );
}

/** The same search with more trials: what is known is not evaluated again. */
function continued(
  { trials, runDir, output, space, evaluator, ...choices }: SamplingChoices & SamplingPlace,
  run: string,
  command: CommandOptions | undefined,
): ReturnType<typeof samplingOptions> {
  const { method, window, repeats, patience, target, budget, first, from } = choices;
  const others = { space, evaluator, command, method, window, repeats, patience, target, budget, first, from };
  const other = Object.entries(others).find(([, value]) => value !== undefined)?.[0];
  const { options, result } = sampledRun(run, runDir);
  if (other !== undefined) throw new UsageError(`--${other} is settled by run ${run}, which --continue goes on with`);
  if (choices.given?.includes("seed") === true && choices.seed !== options.seed) {
    throw new UsageError(`--seed is settled by run ${run}, which --continue goes on with: it is ${options.seed}`);
  }
  if (options.budget !== undefined) {
    throw new UsageError(
      `run ${run} spends a budget in rungs, and cannot be given more trials: run it again with --cache`,
    );
  }
  if (trials === undefined || trials <= result.trials.length) {
    throw new UsageError(
      `run ${run} made ${result.trials.length} trials: give --trials more than that to go on with it`,
    );
  }
  const answered = result.trials.map(({ point: _, ...answer }) => answer);
  return {
    options: { ...options, trials, answered, output: resolve(output) },
    notices: [`method ${options.method}; ${answered.length} trials are known from run ${run}`],
  };
}

function checkMethod(
  method: MethodName,
  objectives: number,
  given: Readonly<Record<"repeats" | "patience" | "target" | "budget" | "from", unknown>>,
): void {
  const inRungs = method === "halving" || method === "hyperband";
  if (inRungs && given.budget === undefined) {
    throw new UsageError(`--method ${method} needs what it may spend: --budget epochs=1..81`);
  }
  if (!inRungs && given.budget !== undefined) {
    throw new UsageError(`--budget is for --method halving and hyperband, not ${method}`);
  }
  if (objectives > 1 && (inRungs || method === "tpe" || method === "cma-es")) {
    throw new UsageError(`--method ${method} has one objective: use nsga2, random or halton for ${objectives}`);
  }
  for (const [flag, value] of Object.entries(given)) {
    if (flag === "budget" || value === undefined) continue;
    if (inRungs) throw new UsageError(`--${flag} does not go with --method ${method}`);
    if (objectives > 1 && (flag === "patience" || flag === "target")) {
      throw new UsageError(`--${flag} is for one objective, not ${objectives}`);
    }
  }
}

function readBudget(text: string, { parameters }: PlainParameters): Budget {
  const [, name, low, high, share] = /^([^=]+)=([^/]+?)\.\.([^/]+)(?:\/(.+))?$/.exec(text) ?? [];
  const [min, max, eta] = [low, high, share ?? "3"].map(Number);
  const wrong = wrongBudget(name, min, max, eta);
  if (name === undefined || wrong !== undefined) throw new UsageError(`--budget ${text}: ${wrong}`);
  const taken = parameters.find(({ path }) => path[0] === name || path[0] === "checkpoint");
  if (taken !== undefined) {
    const there = taken.path[0] === name ? "its budget" : "its checkpoints";
    throw new UsageError(`--budget ${text}: the parameter ${taken.name} is where a point has ${there}: rename it`);
  }
  return { name, min, max, ...(share === undefined ? {} : { eta }) };
}

function wrongBudget(name: string | undefined, min: number, max: number, eta: number): string | undefined {
  if (name === undefined || ![min, max, eta].every(Number.isFinite)) {
    return "it is a name, the least and the most, such as epochs=1..81 (a third goes on; /2 for half)";
  }
  if (min <= 0) return `the least is ${min}: it must be above 0`;
  if (max <= min) return `the least is ${min} and the most ${max}: the most must be above the least`;
  if (eta <= 1) return `one in ${eta} cannot go on: what follows the slash must be above 1`;
  if (eta > max / min) return `one in ${eta} goes on, so the most must be at least ${eta} times the least`;
  return undefined;
}

function readPoints(path: string, space: PlainParameters): readonly Configuration[] {
  const content = parseData(path, readText(path));
  if (!Array.isArray(content)) throw new UsageError(`${path} is not a list of points`);
  const whole = spaceOf(path, space);
  return content.map((point: unknown, i) => {
    if (typeof point !== "object" || point === null) throw new UsageError(`${path}: point ${i + 1} is not an object`);
    const found = pointOf(whole, point as Configuration);
    if (typeof found === "string") throw new UsageError(`${path}: point ${i + 1}: ${found}`);
    const known = new Set(space.parameters.map(({ path: own }) => own[0]));
    const unknown = Object.keys(point).find((name) => !known.has(name));
    if (unknown !== undefined) throw new UsageError(`${path}: point ${i + 1}: the space has no parameter ${unknown}`);
    return point as Configuration;
  });
}

function earlierTrials(run: string, runDir: string, space: PlainParameters): SamplingOptions["earlier"] {
  const { options, result } = sampledRun(run, runDir);
  const shape = ({ parameters, objective, objectives }: PlainParameters) =>
    JSON.stringify([parameters, objective, objectives ?? null]);
  if (shape(options.space) !== shape(space)) {
    throw new UsageError(`--from ${run}: that run searched another space or had another objective`);
  }
  if (options.budget !== undefined)
    throw new UsageError(`--from ${run}: its values were measured with different budgets`);
  return result.trials.map(({ point, values }) => ({ point, values }));
}
