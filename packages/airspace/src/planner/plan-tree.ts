import type { Random } from "@coppice/engine";
import { Mcts, type Problem } from "@coppice/search";
import type { PlanEvaluator } from "../network/kernel/plan-evaluator.ts";
import { hasDuplicate, type Plan, type Regulation } from "../network/regulation.ts";
import type { PlanEdits } from "../proposals/plan-edits.ts";
import { lineKey } from "../proposals/plan-memory.ts";
import type { RegulationSampler } from "../proposals/regulation-sampler.ts";
import type { ScoredPlan } from "./anneal-plan.ts";

/** How the tree of plans is grown. */
export interface PlanTreeOptions {
  /** Evaluations that may be used, counted by the evaluator. */
  readonly evaluations: number;
  /** Regulations drawn for a new node; the best one is added to its parent's plan. */
  readonly samples: number;
  /** Edits tried on a new node's plan, half of them on earlier lines; those that help stay. 0 switches tuning off. */
  readonly tuning: number;
  /** How often the root moves on to its best child; 0 switches it off. */
  readonly reroots: number;
  /** Values mapped to 0..1 by the worst and the best seen; without it they are taken as they are. */
  readonly minmax: boolean;
  readonly exploration: number;
  /** Part of its time that is over, where time and not evaluations sets the pace. */
  readonly clock?: (() => number) | undefined;
}

/** A plan in the tree: one line longer than its parent's, and tuned. */
interface PlanNode extends ScoredPlan {
  /** Which child of which child of the root it is; also the name of its random numbers. */
  readonly path: string;
}

/** The shape of a tree as reports draw it: a column per property, a row per node, parents first. */
export interface TreeShape {
  /** Row of the parent; -1 for the root. */
  readonly parent: readonly number[];
  readonly objective: readonly number[];
  /** Lines of the node's plan. */
  readonly lines: readonly number[];
}

export interface GrownTree {
  readonly best: ScoredPlan;
  readonly shape: TreeShape;
  /** Lines of all plans in the tree, each once: what tuning made of the draws. */
  readonly lines: readonly Regulation[];
}

/** Children a node can have; widening decides how many it gets. */
export const MOST_CHILDREN = 16;

/**
 * Grows a tree of plans, each a sampled and tuned regulation longer than its parent. There is no action that ends a
 * plan: every node is a whole plan and is evaluated, and the best of them is the result.
 */
export function growPlanTree(
  evaluator: PlanEvaluator,
  sampler: RegulationSampler,
  edits: PlanEdits,
  root: ScoredPlan,
  options: PlanTreeOptions,
  random: Random,
): GrownTree {
  const begun = evaluator.evaluations;
  const spent = () => evaluator.evaluations - begun;
  /** Whether that many of the equal parts of the budget are used. */
  const used = (parts: number, of: number) =>
    options.clock === undefined ? spent() >= (parts * options.evaluations) / of : options.clock() >= parts / of;
  const lines = new Map<string, Regulation>();
  const expander = new Expander(evaluator, sampler, edits, options, begun + options.evaluations, random);
  const tree = new Mcts(planProblem({ ...root, path: "" }, expander), {
    goal: "minimise",
    window: 1,
    exploration: options.exploration,
    normalise: options.minmax ? "minmax" : "none",
    backup: "best",
    firstPlay: options.minmax ? 1 : 0,
    widening: { base: 1, factor: 1, exponent: 0.4 },
    budget: { simulations: Number.MAX_SAFE_INTEGER },
  });
  const shape = { parent: [] as number[], objective: [] as number[], lines: [] as number[] };
  const rowOf = new Map<string, number>();
  let best = root;
  let asks = 0;
  let moved = 0;
  for (let idle = 0; !used(1, 1) && idle < 1000; ) {
    const before = spent();
    const proposal = tree.ask();
    if (proposal.kind !== "candidate") break;
    const { plan, objective, path } = proposal.candidate;
    shape.parent.push(rowOf.get(path.slice(0, Math.max(0, path.lastIndexOf("/")))) ?? -1);
    rowOf.set(path, asks);
    shape.objective.push(objective);
    shape.lines.push(plan.length);
    for (const line of plan) lines.set(lineKey(line), line);
    if (objective < best.objective) best = { plan, objective };
    tree.tell({ ok: true, value: objective }, asks++);
    idle = spent() === before ? idle + 1 : 0;
    if (used(moved + 1, options.reroots + 1) && tree.advance("best")) moved++;
  }
  evaluator.discard();
  return { best, shape, lines: [...lines.values()] };
}

function planProblem(root: PlanNode, expander: Expander): Problem<PlanNode, number> {
  const children = Array.from({ length: MOST_CHILDREN }, (_, child) => child);
  return {
    root,
    actions: () => children,
    step: (node, child) => expander.expand(node, child),
    isTerminal: () => false,
    key: ({ path }) => path,
  };
}

/** Makes children of plans. The same child of the same plan is always the same one. */
class Expander {
  readonly #evaluator: PlanEvaluator;
  readonly #sampler: RegulationSampler;
  readonly #edits: PlanEdits;
  readonly #options: PlanTreeOptions;
  readonly #lastEvaluation: number;
  readonly #random: Random;

  constructor(
    evaluator: PlanEvaluator,
    sampler: RegulationSampler,
    edits: PlanEdits,
    options: PlanTreeOptions,
    lastEvaluation: number,
    random: Random,
  ) {
    this.#evaluator = evaluator;
    this.#sampler = sampler;
    this.#edits = edits;
    this.#options = options;
    this.#lastEvaluation = lastEvaluation;
    this.#random = random;
  }

  expand(parent: PlanNode, child: number): PlanNode {
    const path = `${parent.path}/${child}`;
    const random = this.#random.at(path);
    this.#goTo(parent.plan);
    const sampled = this.#bestOfSamples(parent, random);
    const tuned = sampled === undefined ? parent : this.#tune(sampled, random);
    return { ...tuned, path };
  }

  #goTo(plan: Plan): void {
    if (this.#evaluator.plan === plan) return;
    this.#evaluator.evaluate(plan);
    this.#evaluator.keep();
  }

  #bestOfSamples(parent: PlanNode, random: Random): ScoredPlan | undefined {
    let best: ScoredPlan | undefined;
    for (let sample = 0; sample < this.#options.samples && this.#left(); sample++) {
      const line = this.#sampler.draw(random);
      if (line === undefined) continue;
      const plan = [...parent.plan, line];
      if (hasDuplicate(plan)) continue;
      const { objective } = this.#evaluator.evaluate(plan, best?.objective);
      if (best === undefined || objective < best.objective) best = { plan, objective };
    }
    return best;
  }

  #tune(start: ScoredPlan, random: Random): ScoredPlan {
    if (this.#options.tuning === 0 || !this.#left()) return start;
    this.#goTo(start.plan);
    let current = start;
    for (let edit = 0; edit < this.#options.tuning && this.#left(); edit++) {
      const last = current.plan.length - 1;
      const at = last === 0 || random.uniform() < 0.5 ? last : random.integer(0, last - 1);
      const line = this.#edits.tune(current.plan[at], random.choice(["rate", "rate", "window", "flow"]), random);
      if (line === undefined) continue;
      const plan = current.plan.with(at, line);
      if (hasDuplicate(plan)) continue;
      const { objective } = this.#evaluator.evaluate(plan, current.objective);
      if (objective >= current.objective) continue;
      this.#evaluator.keep();
      current = { plan, objective };
    }
    return current;
  }

  #left(): boolean {
    return this.#evaluator.evaluations < this.#lastEvaluation;
  }
}
