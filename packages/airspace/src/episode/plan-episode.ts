import { timed } from "@coppice/engine/evaluator";
import type { Instance } from "../instance/instance.ts";
import type { PlanEvaluator } from "../network/kernel/plan-evaluator.ts";
import type { Plan } from "../network/regulation.ts";
import { TimeIsUp } from "../planner/watched-evaluator.ts";
import { checkEpisodeOptions, type EpisodeOptions } from "./episode-options.ts";
import { EpisodeProblem, episodeTree } from "./episode-problem.ts";
import type { EpisodeState } from "./episode-state.ts";

/** What an episode search says of itself. */
export interface EpisodeTelemetry {
  readonly episodes: number;
  readonly terminalEvaluations: number;
  readonly nodes: number;
  /** Minus the objective of the best plan, with the cheap rates of the search. */
  readonly bestReward: number;
  readonly planLength: number;
  /** What each commit took off the objective, in order; only known where one regulation is searched at a time. */
  readonly commitGains?: readonly number[];
}

export interface EpisodePlan {
  readonly plan: Plan;
  readonly telemetry: EpisodeTelemetry;
  /** How often each kind of action was taken, in the tree and in playouts. */
  readonly actionCounts: Record<string, number>;
}

/** Rates tried for each line in the end, around the cheap one. */
const EXACT_RATIOS = [0.5, 0.65, 0.8, 0.9, 1.1, 1.25, 1.45, 1.8];

/**
 * One search over whole plans: playouts to the end of an episode, reward minus the network objective there and nothing
 * before. The best terminal plan is kept, and its rates are found exactly, once.
 */
export function planEpisode(
  instance: Instance,
  evaluator: PlanEvaluator,
  options: EpisodeOptions & { readonly evaluations: number; readonly seed: number },
): EpisodePlan {
  checkEpisodeOptions(options);
  const lastEvaluation = evaluator.evaluations + options.evaluations;
  const problem = new EpisodeProblem(instance, evaluator, options);
  const search = episodeTree(problem, { seed: options.seed, window: 1, evaluations: options.evaluations });
  // A playout scores every plan that it passes through, and comes back to the one before it for the rate of its last line.
  const playoutCost = 2 * options.maxRegulations + 1;
  const exactCost = () => EXACT_RATIOS.length * (search.result().best?.state.measures.length ?? 0);
  const timeIsUp = untilTimeIsUp(() => {
    for (let ask = 0; evaluator.evaluations + playoutCost + exactCost() <= lastEvaluation; ask++) {
      const proposal = search.ask();
      if (proposal.kind !== "candidate") break;
      search.tell(
        { ok: true, value: evaluator.evaluate(problem.ratedPlan(proposal.candidate.measures)).objective },
        ask,
      );
    }
  });
  const { best, simulations, evaluations, nodes } = search.result();
  const found: EpisodeState["measures"] = best?.state.measures ?? [];
  const cheap = problem.ratedPlan(found);
  const least = best?.value ?? Number.POSITIVE_INFINITY;
  return {
    plan: timeIsUp ? cheap : timed("agent.final_objective", () => exactRates(evaluator, cheap, least, lastEvaluation)),
    telemetry: {
      episodes: simulations,
      terminalEvaluations: evaluations,
      nodes,
      bestReward: best === undefined ? Number.NEGATIVE_INFINITY : -best.value,
      planLength: found.length,
    },
    actionCounts: problem.actionCounts,
  };
}

/** Whether the clock ended it. */
function untilTimeIsUp(work: () => void): boolean {
  try {
    work();
    return false;
  } catch (error) {
    if (error instanceof TimeIsUp) return true;
    throw error;
  }
}

/** Tries other rates line by line and keeps those that help. */
function exactRates(evaluator: PlanEvaluator, cheap: Plan, objective: number, lastEvaluation: number): Plan {
  let plan = cheap;
  let least = objective;
  for (let k = 0; k < cheap.length; k++) {
    for (const ratio of EXACT_RATIOS) {
      if (evaluator.evaluations >= lastEvaluation) return plan;
      const line = { ...cheap[k], ratePerHour: Math.max(1, Math.round(ratio * cheap[k].ratePerHour)) };
      const trial = plan.with(k, line);
      const score = evaluator.evaluate(trial);
      if (score.objective >= least) continue;
      least = score.objective;
      plan = trial;
    }
  }
  evaluator.discard();
  return plan;
}
