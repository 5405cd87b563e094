import { type Random, random } from "@coppice/engine/evaluator";
import { Mcts, type Problem } from "@coppice/search";
import type { PlanEvaluator } from "../network/kernel/plan-evaluator.ts";
import { hasDuplicate, type Plan, planKey, type Regulation } from "../network/regulation.ts";
import type { ScoredPlan } from "../planner/anneal-plan.ts";
import type { PlanEdits } from "../proposals/plan-edits.ts";
import { lineKey } from "../proposals/plan-memory.ts";
import type { RegulationSampler } from "../proposals/regulation-sampler.ts";
import type { EpisodeOptions } from "./episode-options.ts";
import { type EpisodeBudget, type EpisodePlan, searchThenRate } from "./plan-episode.ts";

/** How the regulations that a plan may take next are drawn. */
interface Sampling {
  /** Regulations drawn. */
  readonly samples: number;
  /** The best of them that are tuned, and how many edits each is given. */
  readonly tuned: number;
  readonly edits: number;
}

/** What an expansion costs and how often the root moves on grow slowly with the budget. */
function samplingFor(evaluations: number): Sampling & { readonly reroots: number } {
  const fourthRoot = evaluations ** 0.25;
  return {
    samples: Math.max(4, Math.round(1.4 * fourthRoot ** 2)),
    tuned: 5,
    edits: Math.max(2, Math.round(5 * fourthRoot)),
    reroots: Math.round(1.85 * fourthRoot),
  };
}

/** Differences of J that make a regulation e times as likely. */
const TEMPERATURE = 5;

/** Plans that grow by a sampled regulation per action; its prior is what the plan costs with it. Every plan is an end. */
class SampledEpisodes implements Problem<ScoredPlan, ScoredPlan> {
  readonly root: ScoredPlan;
  readonly actionCounts = { AddRegulation: 0 };
  /** Plans scored, each once. */
  scored = 0;
  readonly #evaluator: PlanEvaluator;
  readonly #sampler: RegulationSampler;
  readonly #edits: PlanEdits;
  readonly #sampling: Sampling;
  readonly #options: EpisodeOptions;
  readonly #random: Random;
  readonly #lastEvaluation: number;

  constructor(
    evaluator: PlanEvaluator,
    sampler: RegulationSampler,
    edits: PlanEdits,
    sampling: Sampling,
    options: EpisodeOptions & EpisodeBudget,
    root: ScoredPlan,
  ) {
    this.root = root;
    this.#evaluator = evaluator;
    this.#sampler = sampler;
    this.#edits = edits;
    this.#sampling = sampling;
    this.#options = options;
    this.#random = random(options.seed).at("sampled episodes");
    this.#lastEvaluation = evaluator.evaluations + options.evaluations;
  }

  actions(state: ScoredPlan): readonly ScoredPlan[] {
    const random = this.#random.at(planKey(state.plan));
    if (this.#evaluator.plan !== state.plan) this.#evaluator.goTo(state.plan);
    const { samples, tuned } = this.#sampling;
    const seen = new Set<string>();
    const drawn: ScoredPlan[] = [];
    for (let sample = 0; sample < samples; sample++) {
      const line = this.#sampler.draw(random);
      const longer = line === undefined ? undefined : this.#scored(state.plan, line, seen);
      if (longer !== undefined) drawn.push(longer);
    }
    drawn.sort((a, b) => a.objective - b.objective);
    return drawn.map((longer, rank) => (rank < tuned ? this.#tune(state.plan, longer, seen, random) : longer));
  }

  step(_state: ScoredPlan, longer: ScoredPlan): ScoredPlan {
    this.actionCounts.AddRegulation++;
    return longer;
  }

  isTerminal({ plan }: ScoredPlan): boolean {
    return plan.length >= Math.min(this.#options.maxRegulations, this.#options.maxActions ?? Number.POSITIVE_INFINITY);
  }

  key({ plan }: ScoredPlan): string {
    return planKey(plan);
  }

  prior(_state: ScoredPlan, actions: readonly ScoredPlan[]): number[] {
    return actions.map(({ objective }) => -objective / TEMPERATURE);
  }

  /** A plan with one more line; undefined if it was scored before, may not be, or no evaluation is left. */
  #scored(plan: Plan, line: Regulation, seen: Set<string>): ScoredPlan | undefined {
    const longer = [...plan, line];
    const key = lineKey(line);
    if (this.#evaluator.evaluations >= this.#lastEvaluation || seen.has(key) || hasDuplicate(longer)) return undefined;
    seen.add(key);
    this.scored++;
    return { plan: longer, objective: this.#evaluator.evaluate(longer).objective };
  }

  /** Tries edits of rate, window and flows on the last line and keeps those that help. */
  #tune(plan: Plan, start: ScoredPlan, seen: Set<string>, random: Random): ScoredPlan {
    let best = start;
    for (let edit = 0; edit < this.#sampling.edits; edit++) {
      const kind = random.choice(["rate", "rate", "window", "flow"] as const);
      const line = this.#edits.tune(best.plan[plan.length], kind, random);
      const tried = line === undefined ? undefined : this.#scored(plan, line, seen);
      if (tried !== undefined && tried.objective < best.objective) best = tried;
    }
    return best;
  }
}

/**
 * One search over whole plans whose actions are regulations as the default policy draws and tunes them. An episode may
 * end after each, so a new node is worth what its plan costs, which its prior already found out; evaluations are spent
 * on drawing alone. The root moves on now and then to where the best plan was found.
 */
export function planSampledEpisode(
  evaluator: PlanEvaluator,
  sampler: RegulationSampler,
  edits: PlanEdits,
  nothing: ScoredPlan,
  options: EpisodeOptions & EpisodeBudget,
): EpisodePlan {
  const begun = evaluator.evaluations;
  const { reroots, ...sampling } = samplingFor(options.evaluations);
  const problem = new SampledEpisodes(evaluator, sampler, edits, sampling, options, nothing);
  const { exploration, widening, rootNoise } = options;
  const tree = new Mcts(problem, {
    seed: options.seed,
    goal: "minimise",
    window: 1,
    exploration,
    knownEnds: "once",
    widening,
    ...(rootNoise.share === 0 ? {} : { noise: rootNoise }),
    budget: { evaluations: Number.MAX_SAFE_INTEGER },
  });
  let best = nothing;
  let asks = 0;
  let moved = 0;
  const searchUntil = (enough: () => boolean): boolean => {
    while (!enough()) {
      const proposal = tree.ask();
      if (proposal.kind !== "candidate") return false;
      const { candidate } = proposal;
      if (candidate.objective < best.objective) best = candidate;
      tree.tell({ ok: true, value: candidate.objective }, asks++);
      const used = (evaluator.evaluations - begun) / options.evaluations;
      if (used * (reroots + 1) >= moved + 1 && tree.advance("best")) moved++;
    }
    return true;
  };
  const budget = { last: begun + options.evaluations, evaluations: options.evaluations };
  const { plan, exhausted } = searchThenRate(evaluator, budget, searchUntil, () => best);
  return {
    plan,
    telemetry: {
      // Every plan that was scored is one that an episode could have ended with.
      episodes: problem.scored,
      terminalEvaluations: problem.scored,
      nodes: tree.result().nodes,
      bestReward: -best.objective,
      planLength: plan.length,
    },
    actionCounts: problem.actionCounts,
    exhausted,
  };
}
