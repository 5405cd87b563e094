import type { Random } from "@coppice/engine";
import type { PlanEvaluator } from "../network/kernel/plan-evaluator.ts";
import type { Plan } from "../network/regulation.ts";
import { KnownPlans } from "../proposals/known-plans.ts";
import type { PlanEdits } from "../proposals/plan-edits.ts";

/** A plan and what it costs. */
export interface ScoredPlan {
  readonly plan: Plan;
  readonly objective: number;
}

export interface PlanAnnealing {
  /** Evaluations that may be used, counted by the evaluator. */
  readonly evaluations: number;
  /** In the unit of the objective; falls geometrically from first to last. */
  readonly temperature: { readonly first: number; readonly last: number };
  /** Plans on the way are remembered, and so are their lines, and tried again later. */
  readonly remember?: ((plan: Plan) => void) | undefined;
  /** Part of its time that is over, where time and not evaluations sets the pace. */
  readonly clock?: (() => number) | undefined;
}

/** Plans whose score is remembered; neighbours of long left plans do not come up again. */
const MOST_KNOWN = 50_000;

/** Evaluations after which the current plan is remembered again. */
const REMEMBER_EVERY = 100;

/** What annealing found: the best plan on the way, and the one it ended with. */
interface Annealed {
  readonly best: ScoredPlan;
  readonly end: ScoredPlan;
}

/**
 * Simulated annealing over plan edits, from the plan the evaluator keeps. A neighbour that was scored before and would
 * not be taken is not scored again.
 */
export function annealPlan(
  evaluator: PlanEvaluator,
  edits: PlanEdits,
  start: ScoredPlan,
  { evaluations, temperature, remember, clock }: PlanAnnealing,
  random: Random,
): Annealed {
  const begun = evaluator.evaluations;
  const cooling = Math.log(temperature.last / temperature.first);
  const known = new KnownPlans(Math.min(MOST_KNOWN, evaluations));
  let current = start;
  let best = start;
  let remembered = 0;
  for (let idle = 0; idle < 1000; ) {
    const spent = evaluator.evaluations - begun;
    if (spent >= evaluations) break;
    if (remember !== undefined && spent >= remembered + REMEMBER_EVERY) {
      remembered = spent;
      remember(current.plan);
    }
    const heat =
      temperature.first * Math.exp(clock === undefined ? (cooling * spent) / evaluations : cooling * clock());
    const plan = edits.draw(current.plan, random);
    const mostAccepted = current.objective - heat * Math.log(1 - random.uniform());
    if (plan === undefined) {
      idle++;
      continue;
    }
    // NaN, which no plan costs, is not above anything.
    const least = known.find(plan);
    if (least > mostAccepted) {
      idle++;
      continue;
    }
    const isKnown = !Number.isNaN(least);
    const { objective } = evaluator.evaluate(plan, mostAccepted, isKnown);
    if (isKnown && objective > mostAccepted) {
      known.raise(objective);
      idle++;
      continue;
    }
    idle = 0;
    known.add(objective);
    if (objective > mostAccepted) continue;
    evaluator.keep();
    current = { plan, objective };
    if (objective < best.objective) best = current;
  }
  evaluator.discard();
  return { best, end: current };
}
