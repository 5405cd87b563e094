import type { Parameter, ParameterValue } from "@coppice/search";

/** A tuning as pages show it, whatever searched: a tournament over horizons, or samples of a space. */
export interface TunerView {
  /** What was searched, how and for how long, in a line. */
  readonly lead: string;
  /** What there is to warn of: failures, low accuracy. */
  readonly notes: readonly string[];
  readonly parameters: readonly Pick<Parameter, "name" | "domain">[];
  /** What configurations are judged by: horizons, or goals. */
  readonly objectives: readonly TunedObjective[];
  /** In the order they were asked; of very many, evenly chosen ones. */
  readonly trials: readonly TriedConfiguration[];
  /** How many trials there were. */
  readonly tried: number;
  /** How much each parameter matters, and by which method. */
  readonly importance: Importance;
  /** Whenever an objective had a better configuration than before. */
  readonly wins: readonly Win[];
  /** The best configuration of each objective, by its place; of several goals, the places that none is better than in all. */
  readonly best: readonly (WinningConfiguration | null)[];
  /** Several goals of one configuration: which trials none is better than in all of them. */
  readonly front?: readonly number[];
  /** Before and after; hold-out beside training. */
  readonly tables: readonly TunerTable[];
  /** Tenths of the players by projection: mean projected and mean actual, by horizon. */
  readonly calibration?: readonly { readonly name: string; readonly bins: readonly (readonly [number, number])[] }[];
}

/** What a configuration is judged by. */
export interface TunedObjective {
  readonly name: string;
  readonly better: "lower" | "higher";
  /** What its numbers are. */
  readonly unit: string;
}

/** One configuration and what it was worth. */
export interface TriedConfiguration {
  /** Counted from 0. */
  readonly trial: number;
  /** By parameter; null where it does not exist. */
  readonly values: readonly (ParameterValue | null)[];
  /** By objective; null where there is none. */
  readonly scores: readonly (number | null)[];
  /** In a tournament: which parameter was being tuned, on whose baseline, in which pass. */
  readonly round?: { readonly pass: number; readonly parameter: number; readonly objective: number };
  /** Its baseline as it was. */
  readonly isBaseline?: true;
  readonly failure?: string;
  readonly budget?: number;
}

/** A table for people: figures are text already. */
export interface TunerTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Shown when somebody asks for it. */
  readonly folded?: true;
}

/** How much parameters matter, and how that was found. */
export interface Importance {
  readonly method: string;
  readonly unit: string;
  /** By objective, by parameter. */
  readonly shares: readonly (readonly number[])[];
}

/** An objective has a better configuration than before. */
export interface Win {
  readonly objective: number;
  readonly trial: number;
  readonly score: number;
  readonly pass: number;
  /** What was changed, and to what; on whose baseline. */
  readonly parameter: string;
  readonly value: string;
  readonly from: string;
}

/** The best configuration of an objective. */
export interface WinningConfiguration {
  readonly score: number | null;
  readonly configuration: string;
  /** Also beside it: spread over repeats, budget. */
  readonly remark?: string;
}

/** Most trials that a page is given. */
const MOST_TRIALS = 10_000;

/** The best of each objective that a page is always given. */
const MOST_BEST = 100;

/** All of them, or so many that are evenly chosen; the best and those that are named stay. */
export function thinned(
  trials: readonly TriedConfiguration[],
  objectives: readonly TunedObjective[],
  keep: readonly number[],
): readonly TriedConfiguration[] {
  if (trials.length <= MOST_TRIALS) return trials;
  const best = objectives.flatMap(({ better }, objective) => {
    const sign = better === "lower" ? 1 : -1;
    const scored = trials.flatMap(({ trial, scores }) => {
      const score = scores[objective];
      return score === null ? [] : [{ trial, score: sign * score }];
    });
    return scored.sort((a, b) => a.score - b.score || a.trial - b.trial).slice(0, MOST_BEST);
  });
  const step = trials.length / MOST_TRIALS;
  const evenly = Array.from({ length: MOST_TRIALS }, (_, i) => Math.floor(i * step));
  const chosen = new Set([...keep, ...best.map(({ trial }) => trial), ...evenly]);
  return trials.filter((_, i) => chosen.has(i));
}

/** What an objective's best was, each time it became better. */
export function betterThanBefore(
  objectives: readonly TunedObjective[],
  trials: readonly TriedConfiguration[],
): readonly Pick<Win, "objective" | "trial" | "score">[] {
  const best = objectives.map(() => undefined as number | undefined);
  return trials.flatMap(({ trial, scores }) =>
    scores.flatMap((score, objective) => {
      const known = best[objective];
      if (score === null) return [];
      const sign = objectives[objective].better === "lower" ? 1 : -1;
      if (known !== undefined && sign * score >= sign * known) return [];
      best[objective] = score;
      return [{ objective, trial, score }];
    }),
  );
}
