import { type Outcome, type Proposal, random, type Search, type SearchProgress } from "@coppice/engine";
import { EpisodeProblem } from "../episode/episode-problem.ts";
import { type EpisodeState, measuresKey } from "../episode/episode-state.ts";
import type { Instance } from "../instance/instance.ts";
import { PlanEvaluator } from "../network/plan-evaluator.ts";
import { planKey } from "../network/plan-key.ts";
import type { Plan } from "../network/regulation.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import type { Weights } from "../network/weights.ts";
import type { Planning, StopReason } from "../planner/make-plan.ts";
import { addCounts, type RootResult, type RootSummary } from "../planner/root-search.ts";
import { partOf, SEED_STEP } from "../planner/root-tasks.ts";
import type { CommitOptions } from "./commit-options.ts";
import type { Commit, CommitTask, CommitValue } from "./commit-task.ts";
import { mostEvaluations } from "./exact-rates.ts";
import { Lane } from "./lane.ts";

/** A commit that is out. */
interface Out {
  readonly lane: Lane;
  readonly laneAsk: number;
  readonly key: string;
}

/** How an outer run stands. */
interface Course {
  readonly run: number;
  readonly seed: number;
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
 * Searches plans whose regulations get their rates from the rate finder. One round grows a tree per root (and per
 * hotspot, where several are searched at once) and applies the best commit; `episode` has one round over whole plans,
 * `stepwise` goes on from the traffic that the plan so far leaves until nothing helps. Everything else is the same.
 *
 * Commits are evaluated elsewhere and told in the order they were asked, so that any number of workers gives the same plan.
 */
export class CommitSearch implements Search<CommitTask, CommitValue, RootResult> {
  readonly #instance: Instance;
  readonly #weights: Weights;
  readonly #options: CommitOptions;
  readonly #evaluator: PlanEvaluator;
  readonly #reserve: number;
  readonly #actionCounts: Record<string, number> = {};
  readonly #convergence: [number, number][] = [];
  readonly #out = new Map<number, Out>();
  /** Commits of this round by key. */
  readonly #commits = new Map<string, Commit>();
  readonly #finished: Finished[] = [];
  readonly #laneBest = new Map<number, { evaluations: number; objective: number | undefined }>();
  #course: Course;
  #lanes: Lane[] = [];
  #problems: EpisodeProblem[] = [];
  #laneAsks = new Map<Lane, number>();
  #nextLane = 0;
  #asks = 0;
  #spent = 0;
  #episodes = 0;
  #terminals = 0;
  #nodes = 0;
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
    const objective = this.#evaluator.evaluate([]).objective;
    this.#evaluator.keep();
    this.#convergence.push([1, objective]);
    this.#course = this.#begin(0, objective);
    this.#openRound();
  }

  ask(): Proposal<CommitTask> {
    for (;;) {
      if (this.#ended) return { kind: "done" };
      const asked = this.#exhausted() ? undefined : this.#askLanes();
      if (asked !== undefined) return asked;
      if (this.#out.size > 0) return { kind: "wait" };
      this.#closeRound();
    }
  }

  tell(outcome: Outcome<CommitValue>, ask: number): void {
    const out = this.#out.get(ask);
    if (out === undefined) throw new Error(`ask ${ask} is not out`);
    this.#out.delete(ask);
    if (outcome.ok && "skipped" in outcome.value) {
      this.#ended = true;
      return;
    }
    if (!outcome.ok) {
      this.#failure = outcome.failure.message;
      out.lane.tell(outcome, out.laneAsk);
      return;
    }
    // Cast: the other kind of value was dealt with above.
    const commit = outcome.value as Commit;
    if (!this.#commits.has(out.key)) this.#spent += commit.evaluations;
    this.#succeeded = true;
    this.#commits.set(out.key, commit);
    out.lane.tell({ ok: true, value: commit.objective }, out.laneAsk);
  }

  metClock(value: CommitValue): string | undefined {
    return "skipped" in value || value.begunInTime ? "outer runs began only while there was time" : undefined;
  }

  result(): RootResult {
    const ended = this.#finished.toSorted((a, b) => a.objective - b.objective);
    const best = ended[0] ?? { ...this.#course, stopReason: "time_budget_exhausted" as const };
    const evaluations = this.#evaluations();
    const failed = this.#failure !== undefined && !this.#succeeded;
    const planning: Planning = {
      plan: best.plan,
      score: scoreFromScratch(this.#instance, best.plan, this.#weights).score,
      evaluations,
      treeEvaluations: evaluations,
      treeNodes: this.#nodes,
      convergence: this.#convergence,
      stopReason: best.stopReason,
      actionCounts: this.#actionCounts,
      episodes: {
        episodes: this.#episodes,
        terminalEvaluations: this.#terminals,
        nodes: this.#nodes,
        bestReward: -best.objective,
        planLength: best.regulations,
        ...(this.#options.mode === "stepwise" ? { commitGains: best.gains } : {}),
      },
    };
    const roots = Array.from({ length: this.#options.roots }, (_, root): RootSummary => {
      const { evaluations: commits, objective } = this.#laneBest.get(root) ?? { evaluations: 0, objective: undefined };
      const seed = this.#options.seed + SEED_STEP * root;
      const failure = failed ? this.#failure : undefined;
      const convergence = root === best.root ? this.#convergence : [];
      return { root, seed, evaluations: commits, objective, stopReason: best.stopReason, failure, convergence };
    });
    return {
      best: failed ? undefined : planning,
      bestRoot: failed ? undefined : best.root,
      evaluations,
      treeEvaluations: evaluations,
      treeNodes: this.#nodes,
      actionCounts: this.#actionCounts,
      roots,
    };
  }

  progress(): SearchProgress {
    const { evaluations, episode, mode } = this.#options;
    const commits =
      mode === "stepwise" ? [{ name: "Regulations", done: this.#course.commits, total: episode.maxRegulations }] : [];
    const done = Math.min(this.#evaluations() - this.#course.since, evaluations);
    const spent = { name: "Evaluations", done, total: evaluations };
    const least = Math.min(this.#course.objective, ...this.#finished.map(({ objective }) => objective));
    return { levels: [spent, ...commits], best: least };
  }

  #evaluations(): number {
    return this.#spent + this.#evaluator.evaluations;
  }

  /** Whether another commit could exceed the budget: those that are out may all cost the most. */
  #exhausted(): boolean {
    const spent = this.#evaluations() - this.#course.since;
    return spent + (this.#out.size + 1) * this.#reserve > this.#options.evaluations;
  }

  /** The next commit of the lanes, in turn; undefined when all wait or are done. */
  #askLanes(): Proposal<CommitTask> | undefined {
    for (let i = 0; i < this.#lanes.length; i++) {
      const at = (this.#nextLane + i) % this.#lanes.length;
      const lane = this.#lanes[at];
      const state = this.#askLane(lane);
      if (state === undefined) continue;
      this.#nextLane = at + 1;
      return this.#propose(lane, state);
    }
    return undefined;
  }

  /** What a lane wants evaluated; that nothing is committed costs what the plan so far does. */
  #askLane(lane: Lane): EpisodeState | undefined {
    for (;;) {
      const proposal = lane.ask();
      if (proposal.kind !== "candidate") return undefined;
      if (proposal.candidate.plan.length > 0) return proposal.candidate;
      lane.tell({ ok: true, value: this.#course.objective }, this.#laneAsk(lane));
    }
  }

  #laneAsk(lane: Lane): number {
    const ask = this.#laneAsks.get(lane) ?? 0;
    this.#laneAsks.set(lane, ask + 1);
    return ask;
  }

  #propose(lane: Lane, { plan: measures }: EpisodeState): Proposal<CommitTask> {
    const before = this.#course.plan;
    const key = `${planKey(before)}|${measuresKey(measures)}`;
    this.#out.set(this.#asks++, { lane, laneAsk: this.#laneAsk(lane), key });
    const { timeMs } = this.#options.outer;
    const first = this.#beginning && timeMs !== undefined;
    this.#beginning = false;
    const unless = first ? { unlessAfterMs: timeMs } : {};
    return {
      kind: "candidate",
      candidate: { before, measures, ...unless },
      key: first ? `run ${this.#course.run}|${key}` : key,
    };
  }

  #begin(run: number, objective: number): Course {
    this.#beginning = run > 0;
    const since = run === 0 ? 0 : this.#evaluations();
    return {
      run,
      seed: this.#options.seed + run,
      since,
      plan: [],
      objective,
      commits: 0,
      regulations: 0,
      root: 0,
      gains: [],
    };
  }

  /** Grows new trees on the traffic that the plan so far leaves. */
  #openRound(): void {
    const { episode, roots, window, hotspotsAtOnce, commitsPerRound, mode } = this.#options;
    const { plan, seed, commits } = this.#course;
    const rules = mode === "stepwise" ? { ...episode, maxRegulations: 1, stop: false } : episode;
    const open = new EpisodeProblem(this.#instance, this.#evaluator, rules, { before: plan });
    const hotspots = open.hotspots().slice(0, hotspotsAtOnce);
    this.#lanes = [];
    this.#laneAsks = new Map();
    this.#nextLane = 0;
    this.#commits.clear();
    this.#problems = [open];
    if (hotspots.length === 0) return;
    if (hotspotsAtOnce > 1) {
      this.#problems = hotspots.map(
        (hotspot) => new EpisodeProblem(this.#instance, this.#evaluator, rules, { before: plan, hotspot }),
      );
    }
    const count = roots * this.#problems.length;
    for (let root = 0; root < roots; root++) {
      const ofRoot = seed + SEED_STEP * root;
      this.#problems.forEach((problem, place) => {
        const share = partOf(commitsPerRound, count, this.#lanes.length);
        const path = random(ofRoot).at("round").at(commits).at(place);
        const laneSeed = mode === "episode" ? ofRoot : path.integer(0, 2 ** 31 - 1);
        const budget = mode === "episode" ? Number.MAX_SAFE_INTEGER : Math.max(1, share);
        this.#lanes.push(new Lane(problem, { root, seed: laneSeed, window, commits: budget }));
      });
    }
  }

  /** Applies the best commit of the round, if one helps, and goes on or ends. */
  #closeRound(): void {
    const course = this.#course;
    let best: Commit | undefined;
    let [bestRoot, regulations] = [0, 0];
    let improved = false;
    for (const lane of this.#lanes) {
      const { best: found, simulations, nodes, evaluations } = lane.result();
      this.#episodes += simulations;
      this.#nodes += nodes;
      this.#terminals += evaluations;
      const objective = found?.value;
      const known = this.#laneBest.get(lane.root) ?? { evaluations: 0, objective: undefined };
      this.#laneBest.set(lane.root, {
        evaluations: known.evaluations + evaluations,
        objective: Math.min(known.objective ?? Number.POSITIVE_INFINITY, objective ?? Number.POSITIVE_INFINITY),
      });
      if (found === undefined) continue;
      const commit = this.#commits.get(`${planKey(course.plan)}|${measuresKey(found.state.plan)}`);
      if (commit === undefined || (best !== undefined && commit.objective >= best.objective)) continue;
      best = commit;
      bestRoot = lane.root;
      regulations = found.state.plan.length;
    }
    for (const problem of this.#problems) addCounts(this.#actionCounts, problem.actionCounts);
    if (best !== undefined && best.objective < course.objective && best.lines.length > 0) {
      course.plan = [...course.plan, ...best.lines];
      course.gains.push(course.objective - best.objective);
      course.objective = best.objective;
      course.commits++;
      course.root = bestRoot;
      course.regulations += regulations;
      improved = true;
      const least = Math.min(best.objective, this.#convergence.at(-1)?.[1] ?? best.objective);
      if (least < (this.#convergence.at(-1)?.[1] ?? Number.POSITIVE_INFINITY)) {
        this.#convergence.push([this.#evaluations(), least]);
      }
    }
    const stopReason = this.#stopReason(best, improved);
    if (stopReason === undefined) this.#openRound();
    else this.#endRun(stopReason);
  }

  #stopReason(best: Commit | undefined, improved: boolean): StopReason | undefined {
    const { mode, episode } = this.#options;
    if (this.#lanes.length === 0) return "no_commit_available";
    if (this.#exhausted()) return "evaluations_exhausted";
    if (best === undefined) return "no_commit_available";
    if (mode === "episode") return "completed";
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
    const [first] = this.#convergence;
    this.#course = this.#begin(next, first[1]);
    this.#openRound();
  }
}

/** The most that one commit may cost. */
function mostPerCommit(instance: Instance, { mode, episode }: Pick<CommitOptions, "mode" | "episode">): number {
  const flows = instance.flowNames.reduce((most, names) => Math.max(most, names.length), 1);
  return mostEvaluations(flows) * (mode === "episode" ? episode.maxRegulations : 1);
}

/** With fewer evaluations than this nothing could be tried: one commit, and what finding its hotspot takes. */
export function leastEvaluations(instance: Instance, options: Pick<CommitOptions, "mode" | "episode">): number {
  return mostPerCommit(instance, options) + 2;
}
