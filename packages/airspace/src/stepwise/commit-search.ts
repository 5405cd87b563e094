import type { Outcome, Proposal, Search, SearchProgress } from "@coppice/engine";
import { timed } from "@coppice/engine/evaluator";
import type { Instance } from "../instance/instance.ts";
import { PlanEvaluator } from "../network/kernel/plan-evaluator.ts";
import type { Plan } from "../network/regulation.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import type { Weights } from "../network/weights.ts";
import type { Planning, StopReason } from "../planner/make-plan.ts";
import { addCounts, type RootResult, type RootSummary, SEED_STEP } from "../planner/root-search.ts";
import type { Commit, CommitOptions, CommitTask, CommitValue } from "./commit-task.ts";
import { mostEvaluations } from "./exact-rates.ts";
import { Round, type Wanted } from "./round.ts";

/** How an outer run stands. */
interface Course {
  readonly run: number;
  /** Evaluations before it. */
  readonly since: number;
  plan: Plan;
  objective: number;
  commits: number;
  /** Regulations committed; one with several rates is several lines of the plan. */
  regulations: number;
  /** Tree that found the last commit. */
  root: number;
  /** What each commit took off the objective. */
  readonly gains: number[];
}

/** The result of an outer run. */
interface Finished extends Course {
  readonly stopReason: StopReason;
}

/**
 * Searches plans whose regulations get their rates from the rate finder. A round grows trees and its best commit is
 * applied; `episode` has one round over whole plans, `stepwise` goes on from the traffic that the plan so far leaves until
 * nothing helps. Everything else is the same.
 *
 * Commits are evaluated elsewhere and told in the order they were asked, so that any number of workers finds the same plan.
 */
export class CommitSearch implements Search<CommitTask, CommitValue, RootResult> {
  readonly #instance: Instance;
  readonly #weights: Weights;
  readonly #options: CommitOptions;
  readonly #evaluator: PlanEvaluator;
  readonly #reserve: number;
  readonly #emptyObjective: number;
  readonly #out = new Map<number, Wanted>();
  readonly #finished: Finished[] = [];
  readonly #actionCounts: Record<string, number> = {};
  readonly #convergence: [evaluations: number, objective: number][];
  readonly #byRoot: { evaluations: number; unique: number; objective: number | undefined }[];
  readonly #tally = { episodes: 0, commits: 0, nodes: 0 };
  #course: Course;
  #round: Round;
  #asks = 0;
  #spent = 0;
  #failure: string | undefined;
  #succeeded = false;
  #beginning = false;
  #ended = false;

  constructor(instance: Instance, weights: Weights, options: CommitOptions) {
    this.#instance = instance;
    this.#weights = weights;
    this.#options = options;
    this.#evaluator = new PlanEvaluator(instance, weights);
    this.#reserve = mostPerCommit(instance, options);
    this.#byRoot = Array.from({ length: options.roots }, () => ({ evaluations: 0, unique: 0, objective: undefined }));
    this.#emptyObjective = this.#evaluator.evaluate([]).objective;
    this.#evaluator.keep();
    this.#convergence = [[1, this.#emptyObjective]];
    this.#course = this.#begin(0);
    this.#round = this.#openRound();
  }

  ask(): Proposal<CommitTask> {
    return timed("agent.mcts.run", () => this.#next());
  }

  #next(): Proposal<CommitTask> {
    for (;;) {
      if (this.#ended) return { kind: "done" };
      const wanted = this.#exhausted() ? undefined : this.#round.ask();
      if (wanted !== undefined) return this.#propose(wanted);
      if (this.#out.size > 0) return { kind: "wait" };
      this.#closeRound();
    }
  }

  tell(outcome: Outcome<CommitValue>, ask: number): void {
    const wanted = this.#out.get(ask);
    if (wanted === undefined) throw new Error(`ask ${ask} is not out`);
    this.#out.delete(ask);
    if (!outcome.ok) {
      this.#failure = outcome.failure.message;
      this.#round.tell(wanted, outcome);
      return;
    }
    const { value } = outcome;
    if ("skipped" in value) {
      this.#ended = true;
      return;
    }
    this.#succeeded = true;
    if (!this.#round.tell(wanted, { ok: true, value })) return;
    this.#spent += value.evaluations;
    const root = this.#byRoot[wanted.lane.root];
    root.evaluations += value.evaluations;
    root.unique++;
  }

  metClock(value: CommitValue): string | undefined {
    return "skipped" in value || value.begunInTime ? "outer runs began only while there was time" : undefined;
  }

  result(): RootResult {
    const [ended] = this.#finished.toSorted((a, b) => a.objective - b.objective);
    const best: Finished = ended ?? { ...this.#course, stopReason: "time_budget_exhausted" };
    const failed = this.#failure !== undefined && !this.#succeeded;
    const evaluations = this.#evaluations();
    const roots = this.#byRoot.map(
      ({ evaluations: own, unique, objective }, root): RootSummary => ({
        root,
        seed: this.#options.seed + SEED_STEP * root,
        evaluations: own,
        uniqueEvaluations: unique,
        objective,
        stopReason: best.stopReason,
        failure: failed ? this.#failure : undefined,
        convergence: root === best.root ? this.#convergence : [],
      }),
    );
    return {
      best: failed ? undefined : this.#planning(best),
      bestRoot: failed ? undefined : best.root,
      evaluations,
      treeEvaluations: evaluations,
      treeNodes: this.#tally.nodes,
      actionCounts: this.#actionCounts,
      roots,
    };
  }

  progress(): SearchProgress {
    const { evaluations, episode, mode } = this.#options;
    const commits =
      mode === "stepwise" ? [{ name: "Regulations", done: this.#course.commits, total: episode.maxRegulations }] : [];
    const done = Math.min(this.#evaluations() - this.#course.since, evaluations);
    const least = Math.min(this.#course.objective, ...this.#finished.map(({ objective }) => objective));
    return { levels: [{ name: "Evaluations", done, total: evaluations }, ...commits], best: least };
  }

  #planning({ plan, objective, regulations, gains, stopReason }: Finished): Planning {
    const evaluations = this.#evaluations();
    const { episodes, commits, nodes } = this.#tally;
    return {
      plan,
      score: timed("agent.final_objective", () => scoreFromScratch(this.#instance, plan, this.#weights).score),
      evaluations,
      treeEvaluations: evaluations,
      treeNodes: nodes,
      convergence: this.#convergence,
      stopReason,
      actionCounts: this.#actionCounts,
      episodes: {
        episodes,
        terminalEvaluations: commits,
        nodes,
        bestReward: -objective,
        planLength: regulations,
        ...(this.#options.mode === "stepwise" ? { commitGains: gains } : {}),
      },
    };
  }

  #evaluations(): number {
    return this.#spent + this.#evaluator.evaluations;
  }

  /** Whether another commit could exceed the budget: those that are out may all cost the most. */
  #exhausted(): boolean {
    const spent = this.#evaluations() - this.#course.since;
    return spent + (this.#out.size + 1) * this.#reserve > this.#options.evaluations;
  }

  #propose(wanted: Wanted): Proposal<CommitTask> {
    this.#out.set(this.#asks++, wanted);
    const { measures, key } = wanted;
    const { timeMs } = this.#options.outer;
    const task = { before: this.#course.plan, measures };
    const first = this.#beginning;
    this.#beginning = false;
    if (!first || timeMs === undefined) return { kind: "candidate", candidate: task, key };
    // The first commit of a further run may be refused by the clock: its outcome is that of no other.
    return {
      kind: "candidate",
      candidate: { ...task, unlessAfterMs: timeMs },
      key: `run ${this.#course.run}|${key}`,
    };
  }

  #begin(run: number): Course {
    this.#beginning = run > 0;
    const since = run === 0 ? 0 : this.#evaluations();
    return { run, since, plan: [], objective: this.#emptyObjective, commits: 0, regulations: 0, root: 0, gains: [] };
  }

  #openRound(): Round {
    const { run, plan, objective, commits } = this.#course;
    const seed = this.#options.seed + run;
    return new Round(this.#instance, this.#evaluator, this.#options, { plan, objective, seed, number: commits });
  }

  /** Applies the best commit of the round, if one helps, and goes on or ends. */
  #closeRound(): void {
    const course = this.#course;
    this.#addTallies();
    const best = this.#round.best();
    const improved = best !== undefined && best.objective < course.objective && best.lines.length > 0;
    if (improved) {
      course.gains.push(course.objective - best.objective);
      course.plan = [...course.plan, ...best.lines];
      course.objective = best.objective;
      course.commits++;
      course.root = best.root;
      course.regulations += best.regulations;
      if (best.objective < this.#convergence[this.#convergence.length - 1][1]) {
        this.#convergence.push([this.#evaluations(), best.objective]);
      }
    }
    const stopReason = this.#stopReason(best, improved);
    if (stopReason === undefined) this.#round = this.#openRound();
    else this.#endRun(stopReason);
  }

  #addTallies(): void {
    for (const { root, simulations, nodes, commits, objective } of this.#round.tallies()) {
      this.#tally.episodes += simulations;
      this.#tally.nodes += nodes;
      this.#tally.commits += commits;
      const known = this.#byRoot[root];
      if (objective !== undefined && objective < (known.objective ?? Number.POSITIVE_INFINITY))
        known.objective = objective;
    }
    for (const counts of this.#round.actionCounts) addCounts(this.#actionCounts, counts);
  }

  #stopReason(best: Commit | undefined, improved: boolean): StopReason | undefined {
    const { mode, episode } = this.#options;
    if (this.#round.empty) return "no_commit_available";
    if (this.#exhausted()) return "evaluations_exhausted";
    if (best === undefined) return "no_commit_available";
    if (mode === "episode") return "tree_exhausted";
    if (!improved) return "no_improvement";
    return this.#course.commits >= episode.maxRegulations ? "regulation_limit_reached" : undefined;
  }

  #endRun(stopReason: StopReason): void {
    this.#finished.push({ ...this.#course, stopReason });
    const next = this.#course.run + 1;
    if (next >= this.#options.outer.runs) {
      this.#ended = true;
      return;
    }
    this.#course = this.#begin(next);
    this.#round = this.#openRound();
  }
}

/** The most that one commit may cost. */
function mostPerCommit(instance: Instance, { mode, episode }: Pick<CommitOptions, "mode" | "episode">): number {
  const flows = instance.flowNames.reduce((most, names) => Math.max(most, names.length), 1);
  return mostEvaluations(flows) * (mode === "episode" ? episode.maxRegulations : 1);
}

/** With fewer evaluations than this nothing could be tried: one commit, and what finding its hotspot takes. */
export function leastForCommits(instance: Instance, options: Pick<CommitOptions, "mode" | "episode">): number {
  return mostPerCommit(instance, options) + 2;
}
