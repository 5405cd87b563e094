import { defaultWeights, usDay } from "@coppice/airspace";
import { type Measured, measure, methods } from "./plan/methods.ts";
import { type BenchOptions, type BenchReport, benchReport, type Figure, type Goal, goal } from "./report.ts";

/** Prices of a minute of delay, budgets, and what our default must reach with them (mean over the seeds). */
const settings = [
  { lambda: 0.02, evaluations: 2000, target: 1350, annealingTarget: 1400 },
  { lambda: 0.05, evaluations: 2000, target: 1800, annealingTarget: undefined },
  { lambda: 0.02, evaluations: 20_000, target: 1190, annealingTarget: 1225 },
  { lambda: 0.05, evaluations: 20_000, target: 1720, annealingTarget: undefined },
];

/** How much worse than annealing with the same evaluations ours may be. */
const WORSE_THAN_ANNEALING = 15;

/** Least share of our evaluations that goes into the tree. */
const TREE_SHARE = 0.3;

/** How good plans of the real day are, method by method, for the same number of evaluations. Rounds are seeds. */
export async function planBench(options: BenchOptions = {}): Promise<BenchReport> {
  const { quick = false, rounds = quick ? 1 : 5, progress = () => {} } = options;
  const seeds = Array.from({ length: rounds }, (_, seed) => seed + 1);
  const storm = usDay("storm");
  const figures: Record<string, Figure> = {};
  const goals: Goal[] = [];
  for (const { lambda, evaluations, target, annealingTarget } of quick ? settings.slice(0, 1) : settings) {
    const weights = { ...defaultWeights, delayMinute: lambda };
    const setting = `λ ${lambda}, ${evaluations} evaluations`;
    const means: Record<string, number> = {};
    let treeShare = 0;
    for (const method of methods) {
      const measured = measure(storm, weights, method, evaluations, seeds);
      const label = `${setting}: ${method.name}`;
      Object.assign(figures, figuresOf(label, measured));
      means[method.name] = mean(measured.plannings.map(({ score }) => score.objective));
      treeShare = mean(measured.plannings.map((planning) => planning.treeEvaluations / planning.evaluations));
      progress(`${label}: J ${means[method.name].toFixed(1)}`);
    }
    goals.push(goal(`${setting}: ours`, means.ours, "J", "<=", target));
    goals.push(
      goal(`${setting}: ours above annealing`, means.ours - means.annealing, "J", "<=", WORSE_THAN_ANNEALING),
      goal(`${setting}: share of evaluations in the tree`, treeShare, "", ">=", TREE_SHARE),
    );
    if (annealingTarget !== undefined) {
      goals.push(goal(`${setting}: annealing`, means.annealing, "J", "<=", annealingTarget));
    }
  }
  const clear = usDay("clear");
  const longest = Math.max(
    ...methods.map((method) => measure(clear, defaultWeights, method, 500, seeds.slice(0, 1)).plannings[0].plan.length),
  );
  goals.push(goal("regulations of any method on the clear day", longest, "", "<=", 0));
  return benchReport("plan", rounds, figures, goals);
}

function figuresOf(label: string, { plannings, seconds }: Measured): Record<string, Figure> {
  const objectives = plannings.map(({ score }) => score.objective);
  const part = (name: string, value: number, unit: string) => [`${label}, ${name}`, { value: round(value), unit }];
  return {
    [`${label}, mean`]: { value: round(mean(objectives)), unit: "J" },
    ...Object.fromEntries([
      part("least", Math.min(...objectives), "J"),
      part("most", Math.max(...objectives), "J"),
      part("regulations", mean(plannings.map(({ plan }) => plan.length)), ""),
      part("delay", mean(plannings.map(({ score }) => score.delayMinutes)), "min"),
      part("evaluations used", mean(plannings.map(({ evaluations }) => evaluations)), ""),
      part("time", seconds, "s"),
    ]),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
