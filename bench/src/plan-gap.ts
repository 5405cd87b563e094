import { defaultWeights, type Instance, MAX_DELAY_MINUTES, makePlan } from "@coppice/airspace";
import { cutDownDay } from "@coppice/airspace/cut-down-day";
import { type DelayChoices, delayChoices } from "./plan-gap/delay-choices.ts";
import { exactDelays } from "./plan-gap/exact-delays.ts";
import { lagrangianBound } from "./plan-gap/lagrangian-bound.ts";
import { type BenchOptions, type BenchReport, benchReport, type Figure, type Goal, goal } from "./report.ts";

/** Price of a minute of delay, what plans must reach, and the known optimum with delays in quarters of an hour. */
const settings = [
  { lambda: 0.05, target: 650, quarterOptimum: 492.75, minuteBound: 388 },
  { lambda: 0.02, target: 430, quarterOptimum: 269.1, minuteBound: 207 },
];

/** Relative distance that HiGHS leaves between solution and bound. */
const SOLVER_GAP = 1e-3;

/** How far plans of the cut-down day are from the cheapest delays of single flights, by an exact solver and a bound. Rounds are seeds. */
export async function planGapBench(options: BenchOptions = {}): Promise<BenchReport> {
  const { quick = false, rounds = quick ? 1 : 5, progress = () => {} } = options;
  const effort = quick
    ? { evaluations: 1000, iterations: 100, solverSeconds: 60, step: 45, most: 45 }
    : { evaluations: 20_000, iterations: 3000, solverSeconds: 600, step: 15, most: MAX_DELAY_MINUTES };
  const stepped = `${effort.step}-minute delays`;
  const day = cutDownDay();
  const inSteps = delayChoices(day, effort.step, effort.most);
  const byMinute = delayChoices(day, 1, MAX_DELAY_MINUTES);
  const figures: Record<string, Figure> = {};
  const goals: Goal[] = [];
  for (const { lambda, target, quarterOptimum, minuteBound } of quick ? settings.slice(0, 1) : settings) {
    const add = (name: string, value: number, unit: string) => {
      figures[`λ ${lambda}: ${name}`] = { value: Math.round(value * 100) / 100, unit };
      progress(`λ ${lambda}: ${name} ${value.toFixed(2)} ${unit}`);
    };
    const plans = plansOf(day, lambda, effort.evaluations, rounds);
    const mean = plans.reduce((sum, { objective }) => sum + objective, 0) / plans.length;
    const best = plans.reduce((least, plan) => (plan.objective < least.objective ? plan : least));
    const bare = best.objective - defaultWeights.regulation * best.regulations;
    add("plans, mean", mean, "J");
    add("best plan", best.objective, "J");
    add("best plan, regulations not counted", bare, "J");
    add("best plan, regulations", best.regulations, "");

    const began = performance.now();
    const exact = await exactDelays(day, inSteps, lambda, effort.solverSeconds);
    add(`${stepped}, best found`, exact.objective, "J");
    add(`${stepped}, proven bound`, exact.bound, "J");
    add(`${stepped}, variables`, exact.variables, "");
    add(`${stepped}, time`, (performance.now() - began) / 1000, "s");

    const boundOf = (choices: DelayChoices) => lagrangianBound(day, choices, lambda, bare, effort.iterations);
    const overSteps = boundOf(inSteps);
    const overMinutes = boundOf(byMinute);
    add(`${stepped}, Lagrangian bound`, overSteps, "J");
    add("delays by the minute, Lagrangian bound", overMinutes, "J");
    const above = (value: number, reference: number) => (100 * (value - reference)) / reference;
    add(`best plan above the best ${stepped}`, above(best.objective, exact.objective), "%");
    add("the same, regulations not counted", above(bare, exact.objective), "%");
    add("best plan above the bound of any delays", above(best.objective, overMinutes), "%");
    add("the same bound, regulations not counted", above(bare, overMinutes), "%");

    goals.push(
      goal(`λ ${lambda}: best plan`, best.objective, "J", "<=", target),
      goal(`λ ${lambda}: plans, mean`, mean, "J", "<=", target),
      goal(`λ ${lambda}: ${stepped}`, exact.objective, "J", "<=", quarterOptimum * (1 + SOLVER_GAP)),
      goal(`λ ${lambda}: their proven bound`, exact.bound, "J", ">=", quarterOptimum * (1 - SOLVER_GAP)),
      goal(`λ ${lambda}: bound of any delays`, overMinutes, "J", ">=", minuteBound),
      goal(`λ ${lambda}: the bound is below every plan`, overMinutes - bare, "J", "<=", 0),
    );
  }
  return benchReport("plan-gap", rounds, figures, goals);
}

function plansOf(day: Instance, lambda: number, evaluations: number, seeds: number) {
  const weights = { ...defaultWeights, delayMinute: lambda };
  return Array.from({ length: seeds }, (_, at) => {
    const { plan, score } = makePlan(day, weights, { policy: "default", seed: at + 1, evaluations, without: [] });
    return { objective: score.objective, regulations: plan.length };
  });
}
