import type { Outcome, Proposal } from "@coppice/engine";
import { random } from "@coppice/engine/evaluator";
import { EpisodeProblem, type EpisodeTree, episodeTree } from "../episode/episode-problem.ts";
import { type EpisodeState, measuresKey } from "../episode/episode-state.ts";
import type { Instance } from "../instance/instance.ts";
import type { PlanEvaluator } from "../network/kernel/plan-evaluator.ts";
import { type Measure, type Plan, planKey } from "../network/regulation.ts";
import { partOf, SEED_STEP } from "../planner/root-search.ts";
import type { Commit, CommitOptions } from "./commit-task.ts";

/** Where a round starts: a plan and what it costs. */
export interface RoundStart {
  readonly plan: Plan;
  readonly objective: number;
  readonly seed: number;
  /** Rounds before it. */
  readonly number: number;
}

/** A commit that one of the trees wants evaluated. */
export interface Wanted {
  readonly measures: readonly Measure[];
  readonly key: string;
  readonly lane: Lane;
  /** Number of the ask among those of its tree. */
  readonly laneAsk: number;
}

/** The best commit of a round. */
interface BestCommit extends Commit {
  /** Independent tree that found it; of equal ones the first. */
  readonly root: number;
  readonly regulations: number;
}

/** What one tree did. */
interface LaneTally {
  readonly root: number;
  readonly simulations: number;
  readonly nodes: number;
  /** Commits it asked for. */
  readonly commits: number;
  readonly objective: number | undefined;
}

/** Trees grown side by side on the traffic that a plan leaves: one per root, and per hotspot where several are searched. */
export class Round {
  readonly #start: RoundStart;
  readonly #lanes: readonly Lane[];
  readonly #problems: readonly EpisodeProblem[];
  readonly #commits = new Map<string, Commit>();
  readonly #keyOfPlan: string;
  #next = 0;

  constructor(instance: Instance, evaluator: PlanEvaluator, options: CommitOptions, start: RoundStart) {
    const { episode, hotspotsAtOnce, mode } = options;
    this.#start = start;
    this.#keyOfPlan = planKey(start.plan);
    const rules = mode === "stepwise" ? { ...episode, maxRegulations: 1, stop: "never" as const } : episode;
    const before = start.plan;
    const open = new EpisodeProblem(instance, evaluator, rules, { before });
    const hotspots = open.hotspots().slice(0, hotspotsAtOnce);
    this.#problems =
      hotspotsAtOnce === 1 || hotspots.length === 0
        ? [open]
        : hotspots.map((hotspot) => new EpisodeProblem(instance, evaluator, rules, { before, hotspot }));
    this.#lanes = hotspots.length === 0 ? [] : this.#openLanes(options);
  }

  /** Whether there is nothing to regulate. */
  get empty(): boolean {
    return this.#lanes.length === 0;
  }

  /** How often each kind of action was taken. */
  get actionCounts(): readonly Readonly<Record<string, number>>[] {
    return this.#problems.map(({ actionCounts }) => actionCounts);
  }

  /** The next commit that the trees want, in turn; undefined when all wait or are done. */
  ask(): Wanted | undefined {
    for (let i = 0; i < this.#lanes.length; i++) {
      const at = (this.#next + i) % this.#lanes.length;
      const lane = this.#lanes[at];
      const wanted = this.#askLane(lane);
      if (wanted === undefined) continue;
      this.#next = at + 1;
      return wanted;
    }
    return undefined;
  }

  /** Gives a tree its answer. False if another one had asked the same before. */
  tell({ key, lane, laneAsk }: Wanted, outcome: Outcome<Commit>): boolean {
    if (!outcome.ok) {
      lane.tell(outcome, laneAsk);
      return false;
    }
    const isNew = !this.#commits.has(key);
    this.#commits.set(key, outcome.value);
    lane.tell({ ok: true, value: outcome.value.objective }, laneAsk);
    return isNew;
  }

  best(): BestCommit | undefined {
    let best: BestCommit | undefined;
    for (const lane of this.#lanes) {
      const found = lane.result().best;
      const commit = found === undefined ? undefined : this.#commits.get(this.#keyOf(found.state.measures));
      if (found === undefined || commit === undefined) continue;
      if (best !== undefined && commit.objective >= best.objective) continue;
      best = { ...commit, root: lane.root, regulations: found.state.measures.length };
    }
    return best;
  }

  tallies(): LaneTally[] {
    return this.#lanes.map((lane) => {
      const { best, simulations, nodes, evaluations } = lane.result();
      return { root: lane.root, simulations, nodes, commits: evaluations, objective: best?.value };
    });
  }

  #openLanes({ roots, window, commitsPerRound, mode }: CommitOptions): Lane[] {
    const { seed, number } = this.#start;
    const count = roots * this.#problems.length;
    return Array.from({ length: count }, (_, index) => {
      const root = Math.floor(index / this.#problems.length);
      const place = index % this.#problems.length;
      const ofRoot = seed + SEED_STEP * root;
      const inRound = random(ofRoot).at("round").at(number).at(place);
      return new Lane(this.#problems[place], {
        root,
        window,
        seed: mode === "episode" ? ofRoot : inRound.integer(0, 2 ** 31 - 1),
        commits: mode === "episode" ? Number.MAX_SAFE_INTEGER : Math.max(1, partOf(commitsPerRound, count, index)),
      });
    });
  }

  /** What a tree wants evaluated; that nothing is committed costs what the plan so far does. */
  #askLane(lane: Lane): Wanted | undefined {
    for (;;) {
      const { proposal, ask } = lane.ask();
      if (proposal.kind !== "candidate") return undefined;
      const { measures } = proposal.candidate;
      if (measures.length > 0) return { measures, key: this.#keyOf(measures), lane, laneAsk: ask };
      lane.tell({ ok: true, value: this.#start.objective }, ask);
    }
  }

  #keyOf(measures: readonly Measure[]): string {
    return `${this.#keyOfPlan}|${measuresKey(measures)}`;
  }
}

/** How one of the trees of a round is grown. */
export interface LaneOptions {
  /** Which of the independent trees it belongs to. */
  readonly root: number;
  readonly seed: number;
  /** Commits that may be out at once: 1 waits for each, more go on without it. */
  readonly window: number;
  /** Commits that may be evaluated, those that are out included. */
  readonly commits: number;
}

/** One tree over regulations, with its asks numbered; its leaves are commits that are evaluated elsewhere. */
export class Lane {
  readonly root: number;
  readonly #tree: EpisodeTree;
  #asked = 0;

  constructor(problem: EpisodeProblem, { root, seed, window, commits }: LaneOptions) {
    this.root = root;
    this.#tree = episodeTree(problem, { seed, window, evaluations: commits });
  }

  /** What it wants evaluated, and the number of this ask among its own. */
  ask(): { readonly proposal: Proposal<EpisodeState>; readonly ask: number } {
    const proposal = this.#tree.ask();
    return { proposal, ask: proposal.kind === "candidate" ? this.#asked++ : this.#asked };
  }

  tell(outcome: Outcome<number>, ask: number): void {
    this.#tree.tell(outcome, ask);
  }

  result(): ReturnType<EpisodeTree["result"]> {
    return this.#tree.result();
  }
}
