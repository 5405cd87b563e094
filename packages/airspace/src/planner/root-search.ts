import type { Outcome, Proposal, Search, SearchProgress } from "@coppice/engine";
import type { Planning } from "./make-plan.ts";
import type { PlannerOptions } from "./planner-options.ts";

/** One of the independent searches, as the log shows it. */
export interface RootSummary {
  readonly root: number;
  readonly seed: number;
  readonly evaluations: number;
  /** Undefined if it failed. */
  readonly objective: number | undefined;
  readonly stopReason: string | undefined;
  readonly failure: string | undefined;
  /** Ends of episodes that it evaluated, each once; only of policies that play episodes. */
  readonly uniqueEvaluations?: number;
  /** How its best objective fell: after how many of its evaluations, and to what. */
  readonly convergence: Planning["convergence"];
}

/** What any search for a plan found and took. */
export interface PlanFound {
  /** The best plan; of equal ones that of the lowest root or walker. Undefined if everything failed. */
  readonly best: Planning | undefined;
  readonly evaluations: number;
  readonly treeEvaluations: number;
  readonly treeNodes: number;
  /** Over all roots or walkers. */
  readonly actionCounts: Readonly<Record<string, number>>;
}

export interface RootResult extends PlanFound {
  readonly bestRoot: number | undefined;
  readonly roots: readonly RootSummary[];
}

/** What a root's worker answers: a plan, or that it did not begin because the time of outer runs was over. */
export type RootValue = Planning | { readonly skipped: true };

/** Roots out at once where there is no end of them: more than anybody has workers, few enough to count. */
const MOST_AHEAD = 64;

/** Runs independent searches and takes the best plan. How many there are shapes the answer; how many run at once does not. */
export class RootSearch implements Search<RootTask, RootValue, RootResult> {
  readonly #options: PlannerOptions;
  readonly #roots: number;
  readonly #outer: OuterRuns;
  readonly #outcomes: Outcome<Planning>[] = [];
  #asked = 0;
  #told = 0;
  #timeIsUp = false;

  constructor(options: PlannerOptions, roots: number, outer: OuterRuns = { runs: 1 }) {
    if (!(Number.isInteger(roots) && roots >= 1)) throw new RangeError(`roots must be at least 1, not ${roots}`);
    if (!(outer.runs >= 1)) throw new RangeError(`outer runs must be at least 1, not ${outer.runs}`);
    if (options.evaluations < roots) {
      throw new RangeError(`${options.evaluations} evaluations are too few for ${roots} roots`);
    }
    this.#options = options;
    this.#roots = roots;
    this.#outer = outer;
  }

  ask(): Proposal<RootTask> {
    if (this.#timeIsUp) return { kind: "done" };
    if (this.#asked >= this.#roots * this.#outer.runs) {
      return { kind: this.#told === this.#asked ? "done" : "wait" };
    }
    const endless = !Number.isFinite(this.#outer.runs);
    if (endless && this.#asked - this.#told >= Math.max(MOST_AHEAD, this.#roots)) return { kind: "wait" };
    const candidate = rootTask(this.#options, this.#roots, this.#outer, this.#asked);
    return { kind: "candidate", candidate, key: `root/${this.#asked++}` };
  }

  tell(outcome: Outcome<RootValue>): void {
    this.#told++;
    if (!outcome.ok) this.#outcomes.push(outcome);
    else if ("skipped" in outcome.value) this.#timeIsUp = true;
    else this.#outcomes.push({ ok: true, value: outcome.value });
  }

  metClock(value: RootValue): string | undefined {
    if ("skipped" in value || value.begunInTime) return "outer runs began only while there was time";
    return value.stopReason === "time_budget_exhausted" ? "a root ended when its time was over" : undefined;
  }

  result(): RootResult {
    let best: Planning | undefined;
    let bestRoot: number | undefined;
    let [evaluations, treeEvaluations, treeNodes] = [0, 0, 0];
    const actionCounts: Record<string, number> = {};
    const roots = this.#outcomes.map((outcome, root): RootSummary => {
      const { seed } = rootTask(this.#options, this.#roots, this.#outer, root);
      if (!outcome.ok) {
        const nothing = { evaluations: 0, objective: undefined, stopReason: undefined, convergence: [] };
        return { root, seed, ...nothing, failure: outcome.failure.message };
      }
      const planning = outcome.value;
      evaluations += planning.evaluations;
      treeEvaluations += planning.treeEvaluations;
      treeNodes += planning.treeNodes;
      addCounts(actionCounts, planning.actionCounts);
      if (best === undefined || planning.score.objective < best.score.objective) {
        best = planning;
        bestRoot = root;
      }
      const { score, stopReason, convergence, episodes } = planning;
      const { objective } = score;
      const unique = episodes === undefined ? {} : { uniqueEvaluations: episodes.terminalEvaluations };
      const spent = { evaluations: planning.evaluations, ...unique };
      return { root, seed, ...spent, objective, stopReason, failure: undefined, convergence };
    });
    return { best, bestRoot, evaluations, treeEvaluations, treeNodes, actionCounts, roots };
  }

  progress(): SearchProgress {
    const { best } = this.result();
    const total = this.#roots * this.#outer.runs;
    const levels = Number.isFinite(total) ? [{ name: "Roots", done: this.#told, total }] : [];
    return { levels, ...(best === undefined ? {} : { best: best.score.objective }) };
  }
}

/** Adds counts name by name. */
export function addCounts(sum: Record<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
}

/** What one of the independent searches is told. */
export interface RootTask extends PlannerOptions {
  /**
   * Whole plannings are repeated with other seeds; this one is the first, second, …. The first root of a further run may
   * find that its time is over, and then none of that run counts; the others do not look at the clock.
   */
  readonly outer?: { readonly run: number; readonly unlessAfterMs?: number };
}

/** How often the whole planning is repeated with other seeds; the best plan of all is taken. */
export interface OuterRuns {
  /** `Infinity` repeats it until the time is over. */
  readonly runs: number;
  /** No further one begins after this time (D4); one that has begun is finished with all its roots. */
  readonly timeMs?: number | undefined;
}

/** How a limit in time is shared by roots: each gets all of it, or an equal part. */
export type TimeSplit = "full" | "share";

/** Seeds of neighbouring roots are this far apart. */
export const SEED_STEP = 10_000;

/** The part of a whole number that falls to one of several; the parts add up to it. */
export function partOf(whole: number, of: number, index: number): number {
  return Math.floor(whole / of) + (index < whole % of ? 1 : 0);
}

/**
 * The k-th of the searches: `roots` per outer run, which share its evaluations, with seeds `seed + run + 10,000 × root`.
 */
export function rootTask(options: PlannerOptions, roots: number, outer: OuterRuns, index: number): RootTask {
  const root = index % roots;
  const run = Math.floor(index / roots);
  const mayBeLate = run > 0 && root === 0 && outer.timeMs !== undefined;
  return {
    ...options,
    seed: options.seed + run + SEED_STEP * root,
    evaluations: partOf(options.evaluations, roots, root),
    ...(outer.runs === 1 ? {} : { outer: { run, ...(mayBeLate ? { unlessAfterMs: outer.timeMs } : {}) } }),
  };
}
