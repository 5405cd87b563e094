import { timed } from "@coppice/engine/evaluator";
import type { Instance } from "../instance/instance.ts";
import type { PlanEvaluator } from "../network/kernel/plan-evaluator.ts";
import type { Plan } from "../network/regulation.ts";
import type { ScoredPlan } from "../planner/anneal-plan.ts";
import { TimeIsUp } from "../planner/watched-evaluator.ts";
import type { EpisodeOptions } from "./episode-options.ts";
import { EpisodeProblem, episodeTree } from "./episode-problem.ts";
import { measuresKey } from "./episode-state.ts";
import { exactRates, exactRatesCost } from "./exact-end.ts";

/** What an episode search says of itself. */
export interface EpisodeTelemetry {
  readonly episodes: number;
  /** Ends that were evaluated, each once. */
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
  /** Nothing was left to evaluate, whatever the budget. */
  readonly exhausted: boolean;
}

/** How many evaluations an episode search may use, and what its random numbers begin with. */
export interface EpisodeBudget {
  readonly evaluations: number;
  readonly seed: number;
}

/**
 * One search over whole plans: playouts to the end of an episode, reward minus the network objective there and nothing
 * before. The best terminal plan is kept, and its rates are found exactly, once; what that leaves is searched with.
 */
export function planEpisode(
  instance: Instance,
  evaluator: PlanEvaluator,
  options: EpisodeOptions & EpisodeBudget,
): EpisodePlan {
  const last = evaluator.evaluations + options.evaluations;
  const problem = new EpisodeProblem(instance, evaluator, options);
  const search = episodeTree(problem, { seed: options.seed, window: 1, evaluations: options.evaluations });
  const ends = new Map<string, number>();
  let asks = 0;
  /** False when nothing is left to evaluate. */
  const searchUntil = (enough: () => boolean): boolean => {
    while (!enough()) {
      const proposal = search.ask();
      if (proposal.kind !== "candidate") return false;
      const { measures } = proposal.candidate;
      const key = measuresKey(measures);
      // Ends that differ in how they were reached, but not in their plan, are evaluated once.
      const value = ends.get(key) ?? evaluator.evaluate(problem.ratedPlan(measures)).objective;
      ends.set(key, value);
      search.tell({ ok: true, value }, asks++);
    }
    return true;
  };
  const cheapest = (): ScoredPlan | undefined => {
    const { best } = search.result();
    return best === undefined ? undefined : { plan: problem.ratedPlan(best.state.measures), objective: best.value };
  };
  const { plan, exhausted } = searchThenRate(
    evaluator,
    { last, evaluations: options.evaluations },
    searchUntil,
    cheapest,
  );
  const { best, simulations, nodes } = search.result();
  return {
    plan,
    telemetry: {
      episodes: simulations,
      terminalEvaluations: ends.size,
      nodes,
      bestReward: best === undefined ? Number.NEGATIVE_INFINITY : -best.value,
      planLength: plan.length,
    },
    actionCounts: problem.actionCounts,
    exhausted,
  };
}

/** Searches, finds the rates of the best plan exactly, and searches with what that left, until the evaluations are used up. */
export function searchThenRate(
  evaluator: PlanEvaluator,
  { last, evaluations }: { readonly last: number; readonly evaluations: number },
  searchUntil: (enough: () => boolean) => boolean,
  cheapest: () => ScoredPlan | undefined,
): { readonly plan: Plan; readonly exhausted: boolean } {
  let rated: ScoredPlan | undefined;
  let exhausted = false;
  try {
    const reserved = () => exactRatesCost(cheapest()?.plan.length ?? 0, evaluations);
    exhausted = !searchUntil(() => evaluator.evaluations + reserved() >= last);
    const cheap = cheapest();
    if (cheap !== undefined) rated = timed("agent.final_objective", () => exactRates(evaluator, cheap, last));
    if (!exhausted) exhausted = !searchUntil(() => evaluator.evaluations >= last);
  } catch (error) {
    if (!(error instanceof TimeIsUp)) throw error;
  }
  evaluator.discard();
  const cheap = cheapest();
  const better = rated === undefined || (cheap !== undefined && cheap.objective < rated.objective) ? cheap : rated;
  return { plan: better?.plan ?? [], exhausted };
}
