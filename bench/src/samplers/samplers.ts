import { start, threads } from "@coppice/engine";
import { samplerNamed, study } from "@coppice/search";
import { type BenchOptions, type BenchReport, benchReport, type Figure, type Goal, goal } from "../report.ts";
import { FUNCTIONS, type TestFunction } from "./functions.ts";
import { KeptSearches } from "./kept-searches.ts";
import { Optuna, pythonWithOptuna } from "./optuna.ts";
import { type Searched, searchOurs } from "./ours.ts";

const METHODS = ["tpe", "cma-es"] as const;
const WINDOWS = [1, 8] as const;
type Side = "ours" | "optuna";
type Method = (typeof METHODS)[number];

const BUDGETS = [50, 200, 1000] as const;
const SEEDS = 20;

/** What the bench can be cut down to: methods, windows, numbers of trials, functions. Of a kind that is not named, all. */
export function samplersParts(): readonly string[] {
  const functions = FUNCTIONS.map(({ name }) => functionPart(name));
  return [...METHODS, ...WINDOWS.map(windowPart), ...BUDGETS.map(trialsPart), ...functions];
}

function windowPart(window: number): string {
  return `window-${window}`;
}

function trialsPart(trials: number): string {
  return `${trials}-trials`;
}

/** A function's name as one word: "rates 3 (log)" is rates-3-log. */
function functionPart(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/-$/, "");
}

/** One search's regrets, by number of trials. */
interface Row {
  readonly side: Side;
  readonly method: Method;
  readonly window: number;
  readonly name: string;
  readonly seed: number;
  readonly regrets: readonly number[];
  readonly lastMs: number;
}

/** What is measured: all of the bench, or a part of it. */
interface Grid {
  readonly methods: readonly Method[];
  readonly windows: readonly number[];
  readonly budgets: readonly number[];
  readonly functions: readonly TestFunction[];
  readonly seeds: readonly number[];
}

interface SamplersBenchOptions extends BenchOptions {
  /** Pairs of runs with eight workers that are compared. */
  readonly pairs?: number;
}

/**
 * Our samplers beside Optuna's on twelve functions, at equal numbers of trials, one and eight out at a time. `rounds` is how
 * many seeds, `seed` the first of them. Optuna's searches, which take over an hour, are kept in `csvFile` and not made again.
 */
export async function samplersBench({
  rounds,
  seed: first = 0,
  quick = false,
  parts = [],
  pairs = quick ? 1 : 20,
  csvFile,
  progress = () => {},
}: SamplersBenchOptions): Promise<BenchReport> {
  const grid = gridOf(parts, first, rounds ?? (quick ? 1 : SEEDS), quick);
  const { methods, windows, budgets, functions, seeds } = grid;
  const trials = budgets[budgets.length - 1];
  const python = pythonWithOptuna();
  if (python === undefined)
    progress("Optuna is skipped: there is no python3 with optuna and cmaes (Debian: python3-optuna, python3-cmaes)");
  const optuna = python === undefined ? undefined : new Optuna(python);
  const hastened = python === undefined ? undefined : new Optuna(python, "hastened");
  const kept = new KeptSearches(csvFile, budgets);
  const rows: Row[] = [];
  try {
    for (const seed of seeds) {
      for (const f of functions) {
        for (const method of methods) {
          for (const window of windows) {
            const measured = (searched: Searched) => ({
              regrets: budgets.map((budget) => regretOf(f, searched, budget)),
              lastMs: searched.lastMs,
            });
            const of = { method, window, name: f.name, seed };
            rows.push({ side: "ours", ...of, ...measured(searchOurs(method, f, trials, window, seed)) });
            // The first seed's searches show how long Optuna takes, the others need not take as long.
            const theirs = seed === first && window === 1 ? optuna : hastened;
            if (theirs === undefined) continue;
            const search = async () => measured(await theirs.search(f, { method, trials, window, seed }));
            rows.push({ side: "optuna", ...of, ...(await kept.search(of, search)) });
          }
        }
      }
      progress(`seed ${seed}: ${functions.length} functions`);
    }
    const same = await identicalRuns(pairs, quick ? 12 : 100);
    const theirs = optuna === undefined ? undefined : await identicalOptuna(optuna, pairs, quick ? 12 : 100);
    const figures = figuresOf(rows, grid, same, theirs);
    const report = benchReport("samplers", seeds.length, figures, goalsOf(rows, grid, same, pairs));
    const missing = missingOf(grid, optuna !== undefined);
    return missing.length === 0 ? report : { ...report, partial: missing.join("; ") };
  } finally {
    optuna?.close();
    hastened?.close();
  }
}

function gridOf(parts: readonly string[], first: number, seeds: number, quick: boolean): Grid {
  const chosen = <Each>(all: readonly Each[], partOf: (each: Each) => string) => {
    const some = all.filter((each) => parts.includes(partOf(each)));
    return some.length === 0 ? all : some;
  };
  return {
    methods: chosen(METHODS, (method) => method),
    windows: chosen(WINDOWS, windowPart),
    budgets: quick ? [8, 16] : chosen(BUDGETS, trialsPart),
    functions: quick
      ? FUNCTIONS.filter(({ name }) => /^(sphere 2|conditional 5)$/.test(name))
      : chosen(FUNCTIONS, ({ name }) => functionPart(name)),
    seeds: Array.from({ length: seeds }, (_, i) => first + i),
  };
}

/** What a cut-down bench leaves out, and so does not show. */
function missingOf({ methods, windows, budgets, functions, seeds }: Grid, withOptuna: boolean): readonly string[] {
  const some = (part: readonly unknown[], all: readonly unknown[], what: string) =>
    all.every((each) => part.includes(each)) ? [] : [`only ${part.join(", ")} of ${all.join(", ")} ${what}`];
  return [
    ...(withOptuna ? [] : ["nothing is compared with Optuna"]),
    ...(seeds.length < SEEDS ? [`only ${seeds.length} of ${SEEDS} seeds`] : []),
    ...(functions.length < FUNCTIONS.length ? [`only ${functions.length} of ${FUNCTIONS.length} functions`] : []),
    ...some(methods, METHODS, "methods"),
    ...some(windows, WINDOWS, "windows"),
    ...some(budgets, BUDGETS, "trials"),
    ...(budgets.includes(1000) ? [] : ["the time of ask + tell at 1,000 trials is not measured"]),
  ];
}

/** How far the best-looking of the first trials truly is from the lowest value. */
function regretOf({ lowest }: TestFunction, { values, seen }: Searched, trials: number): number {
  let best = 0;
  for (let i = 1; i < Math.min(trials, seen.length); i++) if (seen[i] < seen[best]) best = i;
  return Math.max(0, values[best] - lowest);
}

/** Pairs of runs with eight workers that find the same, on the engine. */
async function identicalRuns(pairs: number, trials: number): Promise<number> {
  const { space } = FUNCTIONS[3];
  const evaluator = new URL("./rosenbrock-entry.ts", import.meta.url);
  const run = async (seed: number) => {
    const goals = [{ name: "value", better: "lower" }] as const;
    const search = study({ space, sampler: samplerNamed("tpe", { space, seed }), goals, trials, window: 8, seed });
    return (await (await start({ search, evaluator, pool: threads({ workers: 8 }), seed })).finished).digest;
  };
  let same = 0;
  for (let seed = 0; seed < pairs; seed++) if (new Set([await run(seed), await run(seed)]).size === 1) same++;
  return same;
}

async function identicalOptuna(optuna: Optuna, pairs: number, trials: number): Promise<number> {
  let same = 0;
  for (let seed = 0; seed < pairs; seed++) {
    const run = async () => {
      const { points } = await optuna.search(FUNCTIONS[3], { method: "tpe", trials, window: 8, seed, jobs: 8 });
      return JSON.stringify(points);
    };
    if (new Set([await run(), await run()]).size === 1) same++;
  }
  return same;
}

/** By side: the mean place among all that searched the same function with the same seed, at every budget; ties share. */
function meanRank(rows: readonly Row[], side: Side, method: Method, window: number): number {
  const rivals = Map.groupBy(
    rows.filter((row) => row.window === window),
    ({ name, seed }) => `${name} ${seed}`,
  );
  const places = [...rivals.values()].flatMap((group) => {
    const own = group.find((row) => row.side === side && row.method === method);
    return (own?.regrets ?? []).map((regret, i) => {
      const better = group.filter((row) => row.regrets[i] < regret).length;
      const equal = group.filter((row) => row.regrets[i] === regret).length;
      return better + (equal + 1) / 2;
    });
  });
  return mean(places);
}

/** How many times the regret grows when eight are out instead of one: the median over functions, seeds and budgets. */
function windowLoss(rows: readonly Row[], side: Side, method: Method): number {
  const own = rows.filter((row) => row.side === side && row.method === method);
  const ratios = own.flatMap((row) => {
    if (row.window !== 8) return [];
    const one = own.find(({ window, name, seed }) => window === 1 && name === row.name && seed === row.seed);
    // What is below a millionth has been found by both.
    return row.regrets.map((regret, i) => (regret + 1e-6) / ((one?.regrets[i] ?? 0) + 1e-6));
  });
  return median(ratios);
}

function lastMs(rows: readonly Row[], side: Side, method: Method): number {
  const own = rows.filter((row) => row.side === side && row.method === method && row.window === 1);
  return median(own.map((row) => row.lastMs).filter((ms) => !Number.isNaN(ms)));
}

function figuresOf(
  rows: readonly Row[],
  { methods, windows, budgets }: Grid,
  same: number,
  theirs: number | undefined,
): Readonly<Record<string, Figure>> {
  const figures: Record<string, Figure> = {};
  const sides = [...new Set(rows.map(({ side }) => side))];
  for (const side of sides) {
    for (const method of methods) {
      const name = `${side} ${method}`;
      for (const window of windows) {
        figures[`${name}, window ${window}: mean rank`] = { value: meanRank(rows, side, method, window), unit: "rank" };
        for (const [i, budget] of budgets.entries()) {
          const own = rows.filter((row) => row.side === side && row.method === method && row.window === window);
          const value = median(own.map(({ regrets }) => regrets[i]));
          figures[`${name}, window ${window}: median regret at ${budget}`] = { value, unit: "regret" };
        }
      }
      if (windows.length === 2)
        figures[`${name}: regret with window 8 / with 1`] = { value: windowLoss(rows, side, method), unit: "×" };
      if (windows.includes(1))
        figures[`${name}: ask + tell at the end`] = { value: lastMs(rows, side, method), unit: "ms" };
    }
  }
  figures["ours: identical pairs of runs with 8 workers"] = { value: same, unit: "pairs" };
  if (theirs !== undefined) figures["optuna: identical pairs of runs with 8 jobs"] = { value: theirs, unit: "pairs" };
  return figures;
}

/** Only what was measured has a goal: a rank and a time at window 1, a loss where both windows were. */
function goalsOf(
  rows: readonly Row[],
  { methods, windows, budgets }: Grid,
  same: number,
  pairs: number,
): readonly Goal[] {
  const identical = goal("identical pairs of runs with 8 workers", same, "pairs", ">=", pairs);
  if (!rows.some(({ side }) => side === "optuna")) return [identical];
  const compared = methods.flatMap((method) => {
    const rank = meanRank(rows, "ours", method, 1) - meanRank(rows, "optuna", method, 1);
    const loss = windowLoss(rows, "ours", method) / windowLoss(rows, "optuna", method);
    const time = lastMs(rows, "ours", method) / lastMs(rows, "optuna", method);
    return [
      ...(windows.includes(1) ? [goal(`${method}: mean rank, ours less Optuna's`, rank, "ranks", "<=", 0)] : []),
      ...(windows.length === 2 ? [goal(`${method}: what window 8 costs, ours over Optuna's`, loss, "×", "<", 1)] : []),
      ...(windows.includes(1) && budgets.includes(1000)
        ? [goal(`${method}: ask + tell at 1000 trials, part of Optuna's`, time, "", "<=", 0.1)]
        : []),
    ];
  });
  return [...compared, identical];
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0) / numbers.length;
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}
