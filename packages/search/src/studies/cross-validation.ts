import type { Outcome, Proposal, Search, SearchProgress } from "@coppice/engine";
import type { TournamentNews } from "../tournament/news.ts";
import type { Bests, TournamentResult } from "../tournament/rounds.ts";
import type { HorizonResults, TournamentCandidate } from "../tournament/tournament.ts";
import { HorizonStudies, type HorizonStudiesOptions } from "./horizon-studies.ts";

/** A part of what results are made of, left out in turn. */
export interface Fold<Result> {
  readonly name: string;
  /** What is improved while it is left out. */
  readonly objective: HorizonStudiesOptions<Result>["objective"];
  /** What a result is worth on the part itself; null when nothing. */
  readonly left: (result: Result) => number | null;
}

/** What is searched as the studies of horizons are, and how it is checked. */
export interface CrossValidationOptions<Result> extends Omit<HorizonStudiesOptions<Result>, "regularize"> {
  readonly folds: readonly Fold<Result>[];
  /** The charges for leaving the baseline that are tried; of equals the earlier one is taken. */
  readonly charges: readonly number[];
}

/** One search with a part left out. */
interface Trained<Result> {
  readonly fold: Fold<Result>;
  readonly charge: number;
  readonly search: HorizonStudies<Result>;
}

/**
 * Searches with every part left out in turn, for every charge; then on all parts, with the charge that gained most on what
 * was left out. Every search has as many configurations as the options say.
 */
export class CrossValidation<Result>
  implements Search<TournamentCandidate, HorizonResults<Result>, TournamentResult<Result>>
{
  readonly #options: CrossValidationOptions<Result>;
  readonly #trained: readonly Trained<Result>[];
  readonly #out: HorizonStudies<Result>[] = [];
  /** What each horizon's own baseline came to. */
  readonly #before = new Map<string, Result>();
  #last: HorizonStudies<Result> | undefined;
  #next = 0;
  #told = 0;

  constructor(options: CrossValidationOptions<Result>) {
    if (options.folds.length < 2) throw new RangeError("cross-validation needs at least two parts");
    this.#options = options;
    this.#trained = options.charges.flatMap((charge) =>
      options.folds.map((fold) => {
        const search = new HorizonStudies<Result>({ ...options, objective: fold.objective, regularize: charge });
        return { fold, charge, search };
      }),
    );
  }

  ask(): Proposal<TournamentCandidate> {
    const searches = this.#last === undefined ? this.#trained.map(({ search }) => search) : [this.#last];
    for (let i = 0; i < searches.length; i++) {
      const search = searches[(this.#next + i) % searches.length];
      const proposal = search.ask();
      if (proposal.kind !== "candidate") continue;
      this.#next = (this.#next + i + 1) % searches.length;
      this.#out.push(search);
      return proposal;
    }
    if (this.#out.length > 0) return { kind: "wait" };
    if (this.#last !== undefined) return { kind: "done" };
    this.#last = new HorizonStudies<Result>({ ...this.#options, regularize: this.#chosen() });
    return this.ask();
  }

  tell(outcome: Outcome<HorizonResults<Result>>): void {
    const search = this.#out.shift();
    if (search === undefined) throw new Error("told more than was asked");
    // The searches take turns, so the first answers are those to the first horizon's baseline, then to the second's.
    const horizon = this.#options.horizons[Math.floor(this.#told / this.#trained.length)];
    if (horizon !== undefined && outcome.ok) this.#before.set(horizon, outcome.value[horizon]);
    this.#told++;
    search.tell(outcome);
  }

  result(): TournamentResult<Result> {
    const last = this.#last ?? new HorizonStudies<Result>(this.#options);
    const { charges } = this.#options;
    return {
      ...last.result(),
      tried: this.#told,
      ...(this.#last === undefined
        ? {}
        : {
            leftOut: {
              charge: this.#chosen(),
              changes: charges.map((charge) => ({ charge, byHorizon: this.#changes(charge) })),
            },
          }),
    };
  }

  bestsAfter(): Bests<Result> {
    return this.result();
  }

  /** What the last search finds, and whatever fails. */
  news(): readonly TournamentNews[] {
    const failed = this.#trained.flatMap(({ search }) => search.news().filter(({ kind }) => kind === "failed"));
    return [...failed, ...(this.#last?.news() ?? [])];
  }

  progress(): SearchProgress {
    const { trials, folds, horizons } = this.#options;
    const searches = this.#trained.length + 1;
    const says =
      this.#last === undefined
        ? `cross-validation: ${searches - 1} searches with one of ${folds.length} left out, then one with all`
        : `the last of ${searches} searches, with all ${folds.length}`;
    return {
      levels: [{ name: "Configs", done: this.#told, total: trials * searches }],
      says: [`${says}: ${trials * searches} configurations, ${trials * searches * horizons.length} evaluations`],
    };
  }

  /** The charge whose winners gain most on what was left out, in the mean over horizons. */
  #chosen(): number {
    const { charges, objective } = this.#options;
    const sign = objective.wanted === "lower" ? 1 : -1;
    const costs = charges.map((charge) => sign * mean(Object.values(this.#changes(charge))));
    return charges[costs.indexOf(Math.min(...costs))];
  }

  /** How much of its value a horizon's winner changes on what was left out: the mean over parts; without any, nothing. */
  #changes(charge: number): Readonly<Record<string, number>> {
    const own = this.#trained.filter((trained) => trained.charge === charge);
    return Object.fromEntries(
      this.#options.horizons.map((horizon) => {
        const before = this.#before.get(horizon);
        const changes = own.flatMap(({ fold, search }) => {
          const { [horizon]: best } = search.bestsAfter().best;
          if (before === undefined || best === undefined) return [];
          const [was, is] = [fold.left(before), fold.left(best.result)];
          return was === null || is === null || was === 0 ? [] : [is / was - 1];
        });
        return [horizon, mean(changes)];
      }),
    );
  }
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
