import type { Outcome, Proposal, Search } from "@coppice/engine";
import { random } from "@coppice/engine/evaluator";
import { haltonSampler } from "../samplers/spread.ts";
import { configurationAt, type Point, type SearchSpace } from "../space/search-space.ts";
import { configurationKey } from "../tournament/configuration-key.ts";
import type { Configuration } from "../tournament/parameter.ts";
import { pointChooser } from "./choose-point.ts";
import { type Goal, readValues, type StudyResult, type TrialRow } from "./study-result.ts";

/** What an evaluation may cost: epochs, rows, seasons. */
export interface Budget {
  /** The field of a candidate that says how much of it to use. */
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** One in so many goes on at each rung, with so many times the budget. Default 3. */
  readonly eta?: number;
}

/** What is tried in rungs, for what, and how long. All of it shapes the answer. */
export interface HyperbandOptions {
  readonly space: SearchSpace;
  readonly goal: Goal;
  readonly budget: Budget;
  /** Successive halving has brackets that all begin at the least budget; Hyperband also such that begin higher. */
  readonly brackets: "halving" | "hyperband";
  /** Points to begin with; the last bracket is not cut short, so that it may be a few more. */
  readonly trials: number;
  readonly window: number;
  readonly seed: number;
  readonly first?: readonly Point[];
}

/** A point in a bracket. */
interface Entrant {
  readonly point: Point;
  readonly configuration: Configuration;
  /** By rung, smaller is better; null: failed. */
  readonly values: (number | null)[];
}

interface Bracket {
  readonly rungs: readonly { readonly count: number; readonly budget: number }[];
  rung: number;
  entrants: Entrant[];
  asked: number;
  told: number;
}

/**
 * Successive halving and Hyperband (Li et al. 2018): many points with little of the budget, the best of them with more. Who
 * goes on is decided when all of a rung are known, by rank and then by ask order, so that it does not matter who finished
 * first. A candidate says where to go on from (`checkpoint.load`) and where to leave off (`checkpoint.save`): names that
 * belong to the point, its budget and the seed. While a rung is awaited the next bracket begins.
 */
export function hyperband(options: HyperbandOptions): Search<Configuration, unknown, StudyResult> {
  const { goal, budget, window, seed } = options;
  const sign = goal.better === "lower" ? 1 : -1;
  const stream = random(seed).at("hyperband");
  const choose = pointChooser(options.space, haltonSampler(options), options.first ?? []);
  const brackets: Bracket[] = [];
  const out: { readonly bracket: Bracket; readonly entrant: Entrant; readonly row: number }[] = [];
  const rows: (TrialRow & { readonly told: boolean })[] = [];
  const planned = plannedEvaluations(options);
  let points = 0;
  let told = 0;
  let ended: string | undefined;
  let best: { readonly row: number; readonly value: number; readonly budget: number } | undefined;

  const isOpen = (bracket: Bracket) => bracket.rung < bracket.rungs.length;

  const nextBracket = (): Bracket | undefined => {
    if (ended !== undefined || brackets.filter(isOpen).length > 1) return undefined;
    if (points >= options.trials) {
      ended = `${points} points were tried, in ${brackets.length} brackets`;
      return undefined;
    }
    const rungs = rungsOf(budget, options.brackets === "halving" ? 0 : brackets.length);
    const entrants: Entrant[] = [];
    while (entrants.length < rungs[0].count && ended === undefined) {
      const chosen = choose([], stream.at(points));
      if (chosen.kind === "point") {
        const { point } = chosen;
        entrants.push({ point, configuration: configurationAt(options.space, point), values: [] });
        points++;
      } else ended = chosen.kind === "end" ? chosen.why : "nothing is left to try";
    }
    if (entrants.length === 0) return undefined;
    const bracket: Bracket = { rungs, rung: 0, entrants, asked: 0, told: 0 };
    brackets.push(bracket);
    return bracket;
  };

  const propose = (bracket: Bracket): Proposal<Configuration> => {
    const entrant = bracket.entrants[bracket.asked++];
    const own = bracket.rungs[bracket.rung].budget;
    const before = bracket.rung === 0 ? undefined : bracket.rungs[bracket.rung - 1].budget;
    const candidate = rungCandidate(entrant.configuration, { name: budget.name, own, before, seed });
    out.push({ bracket, entrant, row: rows.length });
    rows.push({ point: entrant.configuration, values: null, budget: own, told: false });
    return { kind: "candidate", candidate, key: JSON.stringify(candidate) };
  };

  /** Once a rung is known: who goes on. */
  const climb = (bracket: Bracket): void => {
    const { rung, rungs } = bracket;
    const count = rungs[rung + 1]?.count ?? 0;
    const valued = bracket.entrants.flatMap((entrant) => {
      const value = entrant.values[rung];
      return value === null ? [] : [{ entrant, value }];
    });
    bracket.entrants = valued
      .toSorted((a, b) => a.value - b.value)
      .slice(0, count)
      .map(({ entrant }) => entrant);
    bracket.asked = 0;
    bracket.told = 0;
    bracket.rung = bracket.entrants.length === 0 ? rungs.length : rung + 1;
  };

  return {
    ask() {
      if (out.length >= window) return { kind: "wait" };
      const bracket = brackets.find((each) => isOpen(each) && each.asked < each.entrants.length) ?? nextBracket();
      if (bracket !== undefined) return propose(bracket);
      return out.length > 0 ? { kind: "wait" } : { kind: "done" };
    },
    tell(outcome: Outcome<unknown>) {
      const next = out.shift();
      if (next === undefined) throw new Error("told of what was not asked");
      const { bracket, entrant, row } = next;
      const heard = outcome.ok ? readValues(outcome.value, [goal]) : outcome.failure.message;
      const { budget: own = 0, point } = rows[row];
      if (typeof heard === "string") {
        entrant.values.push(null);
        rows[row] = { point, values: null, failure: heard, budget: own, told: true };
      } else {
        const value = sign * heard[0];
        entrant.values.push(value);
        rows[row] = { point, values: heard, budget: own, told: true };
        // More of the budget counts for more than a better value with less of it.
        const better = best === undefined || own > best.budget || (own === best.budget && value < best.value);
        if (better) best = { row, value, budget: own };
      }
      bracket.told++;
      told++;
      if (bracket.told === bracket.entrants.length) climb(bracket);
    },
    result: () => {
      const known = rows.filter((row) => row.told).map(({ told: _, ...row }) => row);
      return {
        trials: known,
        failed: known.filter(({ values }) => values === null).length,
        best: best?.row ?? null,
        ended: ended ?? "it was ended before",
      };
    },
    progress: () => ({
      levels: [{ name: "Evaluations", done: told, total: Math.max(told, planned) }],
      ...(best === undefined ? {} : { best: sign * best.value }),
    }),
  };
}

/** A point as it is evaluated at a rung: with its budget, and the names of the checkpoints to go on from and to leave off at. */
export function rungCandidate(
  point: Configuration,
  rung: {
    readonly name: string;
    readonly own: number;
    /** The budget of the rung before; undefined at the first. */
    readonly before: number | undefined;
    readonly seed: number;
  },
): Configuration {
  const { name, own, before, seed } = rung;
  const checkpointAt = (part: number) => `${seed}-${configurationKey(point).slice(0, 12)}-${part}`;
  const checkpoint = { load: before === undefined ? null : checkpointAt(before), save: checkpointAt(own) };
  return { ...point, [name]: own, checkpoint };
}

/** How many evaluations it takes when none fails: every bracket that is begun is filled. */
function plannedEvaluations({ budget, brackets, trials }: HyperbandOptions): number {
  let evaluations = 0;
  for (let index = 0, points = 0; points < trials; index++) {
    const rungs = rungsOf(budget, brackets === "halving" ? 0 : index);
    points += rungs[0].count;
    for (const { count } of rungs) evaluations += count;
  }
  return evaluations;
}

/** The rungs of bracket number `index`: the first has the most points and begins with the least budget. */
export function rungsOf({ min, max, eta = 3 }: Budget, index: number): Bracket["rungs"] {
  const highest = Math.floor(Math.log(max / min) / Math.log(eta) + 1e-9);
  const s = highest - (index % (highest + 1));
  const start = Math.ceil(((highest + 1) / (s + 1)) * eta ** s - 1e-9);
  const whole = Number.isInteger(min) && Number.isInteger(max);
  return Array.from({ length: s + 1 }, (_, i) => {
    const budget = max * eta ** (i - s);
    return { count: Math.max(1, Math.floor(start * eta ** -i + 1e-9)), budget: whole ? Math.round(budget) : budget };
  });
}
