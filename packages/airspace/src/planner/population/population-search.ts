import type { Outcome, Proposal, Search, SearchProgress } from "@coppice/engine";
import type { Planning } from "../make-plan.ts";
import type { PlannerOptions } from "../planner-options.ts";
import { addCounts, type PlanFound } from "../root-search.ts";
import { type PackedPlan, unpackPlan } from "./packed-plan.ts";
import { handsOn, leastEvaluations, memoryLimits, type PopulationShape, plannedSegment } from "./population-shape.ts";
import type { Segment, SegmentValue } from "./segment.ts";
import { selectWalkers } from "./select-walkers.ts";
import { SharedMemory } from "./shared-memory.ts";

/** A walker in a round: where it came from and where it got to. */
interface WalkerSummary {
  /** Whose plan of the round before it began with. */
  readonly from: number;
  /** Of its plan at the end; undefined if its segment was lost. */
  readonly objective: number | undefined;
  readonly failure?: string;
}

export interface RoundSummary extends Pick<Segment, "kind" | "temperature"> {
  readonly evaluations: number;
  /** The best objective of any walker so far. */
  readonly best: number | undefined;
  readonly walkers: readonly WalkerSummary[];
}

export interface PopulationResult extends PlanFound {
  readonly walkers: number;
  readonly rounds: readonly RoundSummary[];
  /** Where the best plan was found. */
  readonly bestAt: { readonly round: number; readonly walker: number } | undefined;
}

/** The best plan so far and where it was found. */
interface Best {
  readonly round: number;
  readonly walker: number;
  readonly found: SegmentValue["best"];
}

/**
 * Walkers that search side by side in rounds. After each round the worse half go on with plans of the better half, and
 * what all of them passed is there for each to draw from. How many walkers there are shapes the answer; how many
 * segments run at once does not, because rounds are compared only when all their segments are told.
 */
export class PopulationSearch implements Search<Segment, SegmentValue, PopulationResult> {
  readonly #options: PlannerOptions;
  readonly #shape: PopulationShape;
  readonly #memory: SharedMemory;
  /** What a segment of this round may draw from. */
  #remembered = "";
  /** Plans that the walkers of this round begin with, and whose they were. */
  #starts: readonly PackedPlan[];
  #from: readonly number[];
  /** Outcomes of this round, walker by walker. */
  #told: Outcome<SegmentValue>[] = [];
  #asked = 0;
  #over = false;

  #best: Best | undefined;
  #evaluations = 0;
  #treeEvaluations = 0;
  #treeNodes = 0;
  readonly #edits: Record<string, number> = {};
  readonly #convergence: [evaluations: number, objective: number][] = [];
  readonly #rounds: RoundSummary[] = [];
  /** Shapes of the trees of the first round. */
  #trees: SegmentValue["tree"][] = [];

  constructor(options: PlannerOptions, shape: PopulationShape) {
    const { walkers, rounds } = shape;
    if (!(Number.isInteger(walkers) && walkers >= 1))
      throw new RangeError(`walkers must be at least 1, not ${walkers}`);
    if (!(Number.isInteger(rounds) && rounds >= 1)) throw new RangeError(`rounds must be at least 1, not ${rounds}`);
    if (options.evaluations < leastEvaluations(shape)) {
      throw new RangeError(`${options.evaluations} evaluations are too few for ${walkers} walkers in ${rounds} rounds`);
    }
    this.#options = options;
    this.#shape = shape;
    this.#memory = new SharedMemory(memoryLimits(shape, options.evaluations));
    this.#starts = Array.from({ length: walkers }, () => []);
    this.#from = [...this.#starts.keys()];
  }

  ask(): Proposal<Segment> {
    if (this.#over) return { kind: "done" };
    if (this.#asked === this.#shape.walkers) return { kind: "wait" };
    const walker = this.#asked++;
    const round = this.#rounds.length;
    const candidate: Segment = {
      round,
      walker,
      ...this.#planned(walker),
      start: this.#starts[walker],
      memory: this.#remembered,
      planner: this.#options,
    };
    return { kind: "candidate", candidate, key: `round/${round}/walker/${walker}` };
  }

  tell(outcome: Outcome<SegmentValue>): void {
    const walker = this.#told.push(outcome) - 1;
    if (outcome.ok) {
      this.#count(outcome.value, walker);
      // At once, not at the end of the round, when everybody waits for what is asked next.
      this.#remember(outcome.value);
    }
    if (this.#told.length === this.#shape.walkers) this.#endRound();
  }

  #count({ evaluations, best, tree, edits }: SegmentValue, walker: number): void {
    this.#evaluations += evaluations;
    addCounts(this.#edits, edits);
    if (tree !== undefined) {
      this.#treeEvaluations += evaluations;
      this.#treeNodes += tree.shape.parent.length;
    }
    const { objective } = best.score;
    if (this.#best !== undefined && objective >= this.#best.found.score.objective) return;
    this.#best = { round: this.#rounds.length, walker, found: best };
    this.#convergence.push([this.#evaluations, objective]);
  }

  /** Notes how the round went, shares what was passed, and says who goes on with whose plan. */
  #endRound(): void {
    const told = this.#told;
    const ends = told.map((outcome) => (outcome.ok ? outcome.value.end : undefined));
    const { kind, temperature } = this.#planned(0);
    this.#rounds.push({
      kind,
      temperature,
      evaluations: told.reduce((sum, outcome) => sum + (outcome.ok ? outcome.value.evaluations : 0), 0),
      best: this.#best?.found.score.objective,
      walkers: told.map((outcome, walker) => ({
        from: this.#from[walker],
        objective: ends[walker]?.objective,
        ...(outcome.ok ? {} : { failure: outcome.failure.message }),
      })),
    });
    if (kind === "tree") this.#trees = told.map((outcome) => (outcome.ok ? outcome.value.tree : undefined));
    this.#remembered = this.#memory.text();
    const handOn = handsOn(this.#shape, this.#options.evaluations, this.#rounds.length - 1);
    const from = selectWalkers(
      ends.map((end) => end?.objective),
      handOn,
    );
    if (from === undefined || this.#rounds.length === this.#shape.rounds) {
      this.#over = true;
      return;
    }
    this.#from = from;
    this.#starts = from.map((walker) => ends[walker]?.plan ?? []);
    this.#told = [];
    this.#asked = 0;
  }

  #remember({ tree, passed }: SegmentValue): void {
    if (this.#options.without.includes("memory")) return;
    if (tree !== undefined) this.#memory.addLines(unpackPlan(tree.lines));
    for (const plan of passed) this.#memory.addPlan(unpackPlan(plan));
  }

  #planned(walker: number): ReturnType<typeof plannedSegment> {
    const withTree = !this.#options.without.includes("tree");
    return plannedSegment(this.#shape, this.#options.evaluations, withTree, this.#rounds.length, walker);
  }

  result(): PopulationResult {
    const best = this.#best;
    return {
      best: best === undefined ? undefined : this.#planning(best),
      evaluations: this.#evaluations,
      treeEvaluations: this.#treeEvaluations,
      treeNodes: this.#treeNodes,
      actionCounts: this.#edits,
      walkers: this.#shape.walkers,
      rounds: this.#rounds,
      bestAt: best === undefined ? undefined : { round: best.round, walker: best.walker },
    };
  }

  #planning({ round, walker, found }: Best): Planning {
    let ancestor = walker;
    for (let at = round; at > 0; at--) ancestor = this.#rounds[at]?.walkers[ancestor].from ?? this.#from[ancestor];
    const tree = this.#trees[ancestor];
    return {
      plan: unpackPlan(found.plan),
      score: found.score,
      evaluations: this.#evaluations,
      treeEvaluations: this.#treeEvaluations,
      treeNodes: this.#treeNodes,
      ...(tree === undefined ? {} : { tree: tree.shape }),
      convergence: this.#convergence,
      stopReason: this.#stopReason(),
      actionCounts: this.#edits,
    };
  }

  /** A day on which nothing is hot leaves evaluations over. */
  #stopReason(): Planning["stopReason"] {
    if (!this.#over) return "time_budget_exhausted";
    return this.#evaluations < this.#options.evaluations ? "completed" : "evaluations_exhausted";
  }

  progress(): SearchProgress {
    const { walkers, rounds } = this.#shape;
    const levels = [
      { name: "Rounds", done: this.#rounds.length, total: rounds },
      { name: "Walkers", done: this.#told.length, total: walkers },
    ];
    const best = this.#best?.found.score.objective;
    const last = this.#rounds.at(-1);
    return {
      levels,
      counted: { done: this.#evaluations, total: this.#options.evaluations },
      ...(best === undefined ? {} : { best }),
      ...(last === undefined ? {} : { says: roundLines(last, this.#rounds.length - 1, this.#over ? [] : this.#from) }),
    };
  }
}

/** What people are told of the round that ended last: how warm it was, where its walkers got to, whose plans are handed on. */
function roundLines({ temperature, kind, walkers }: RoundSummary, round: number, from: readonly number[]): string[] {
  const ends = walkers.flatMap(({ objective }) => (objective === undefined ? [] : [objective]));
  const warmth = kind === "tree" ? "trees" : `T ${temperature.first.toFixed(2)} to ${temperature.last.toFixed(2)}`;
  const range = ends.length === 0 ? "all lost" : `J ${Math.min(...ends).toFixed(1)} to ${Math.max(...ends).toFixed(1)}`;
  const handed = from.flatMap((giver, walker) => (giver === walker ? [] : [`${giver}→${walker}`]));
  return [
    `round ${round}: ${warmth}, walkers end at ${range}`,
    ...(handed.length === 0 ? [] : [`plans handed on: ${handed.join(" ")}`]),
  ];
}
