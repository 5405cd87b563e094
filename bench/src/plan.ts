import { defaultWeights, type PlannerOptions, usDay } from "@coppice/airspace";
import { planInEqualTime } from "./plan/equal-time.ts";
import { type Measured, type Method, measure, methods } from "./plan/methods.ts";
import { searchSpeed } from "./plan/speed.ts";
import { type BenchOptions, type BenchReport, benchReport, type Figure, type Goal, goal } from "./report.ts";

/** Prices of a minute of delay, budgets, and what our default must reach with them (mean over the seeds). */
const settings = [
  { lambda: 0.02, evaluations: 2000, target: 1350, annealingTarget: 1400 },
  { lambda: 0.05, evaluations: 2000, target: 1800, annealingTarget: undefined },
  { lambda: 0.02, evaluations: 20_000, target: 1190, annealingTarget: 1225 },
  { lambda: 0.05, evaluations: 20_000, target: 1720, annealingTarget: undefined },
];

/** Enough to see that everything runs. */
const quickSettings = [{ ...settings[0], evaluations: 400 }];

/** What searches over episodes must reach with 20,000 evaluations, where a minute of delay costs 0.02. */
const episodeTargets = { lambda: 0.02, evaluations: 20_000, episodes: 1700, "episodes of sampled regulations": 1300 };

/** Seeds of every method, and of the two that are compared closely. */
const SEEDS = 5;
const COMPARED_SEEDS = 10;
const compared: readonly string[] = ["annealing", "ours"];

/** Least plan evaluations per second of one core during the search, and most of the tree's time that may go elsewhere. */
const EVALUATIONS_PER_SECOND = 45_000;
const TREE_OVERHEAD = 0.3;

/** From this many evaluations on, plans are also compared in equal time. */
const EQUAL_TIME_FROM = 20_000;

/** How much worse than annealing with the same evaluations ours may be. */
const WORSE_THAN_ANNEALING = 15;

/** Least share of our evaluations that goes into the tree. */
const TREE_SHARE = 0.3;

/**
 * How good plans of the real day are, method by method, for the same number of evaluations and, with and without stopping
 * at what is not wanted, in the same time; and how fast they are looked for. Rounds are seeds; without a number every method has five, ours and annealing ten.
 */
export async function planBench(options: BenchOptions = {}): Promise<BenchReport> {
  const { quick = false, progress = () => {} } = options;
  const rounds = options.rounds ?? (quick ? 1 : SEEDS);
  const comparedSeeds = seedList(options.rounds ?? (quick ? 1 : COMPARED_SEEDS));
  const seeds = seedList(rounds);
  const storm = usDay("storm");
  const figures: Record<string, Figure> = {};
  const goals: Goal[] = [];
  for (const { lambda, evaluations, target, annealingTarget } of quick ? quickSettings : settings) {
    const weights = { ...defaultWeights, delayMinute: lambda };
    const setting = `λ ${lambda}, ${evaluations} evaluations`;
    const means: Record<string, number> = {};
    const comparedMeans: Record<string, number> = {};
    let treeShare = 0;
    for (const method of methods) {
      const label = `${setting}: ${method.name}`;
      const isCompared = compared.includes(method.name);
      const measured = measure(storm, weights, method, evaluations, isCompared ? comparedSeeds : seeds);
      const objectives = measured.plannings.map(({ score }) => score.objective);
      Object.assign(figures, figuresOf(label, measured, seeds.length));
      means[method.name] = mean(objectives.slice(0, seeds.length));
      comparedMeans[method.name] = mean(objectives);
      if (isCompared) figures[`${label}, mean of ${objectives.length}`] = { value: round(mean(objectives)), unit: "J" };
      treeShare = mean(measured.plannings.map((planning) => planning.treeEvaluations / planning.evaluations));
      progress(`${label}: J ${means[method.name].toFixed(1)}`);
    }
    goals.push(goal(`${setting}: ours`, means.ours, "J", "<=", target));
    goals.push(
      goal(
        `${setting}: ours above annealing, ${comparedSeeds.length} seeds`,
        comparedMeans.ours - comparedMeans.annealing,
        "J",
        "<=",
        WORSE_THAN_ANNEALING,
      ),
      goal(`${setting}: share of evaluations in the tree`, treeShare, "", ">=", TREE_SHARE),
    );
    if (lambda === episodeTargets.lambda && evaluations === episodeTargets.evaluations) {
      for (const name of ["episodes", "episodes of sampled regulations"] as const) {
        goals.push(goal(`${setting}: ${name}`, means[name], "J", "<=", episodeTargets[name]));
      }
    }
    if (annealingTarget !== undefined) {
      goals.push(goal(`${setting}: annealing`, comparedMeans.annealing, "J", "<=", annealingTarget));
    }
    if (!quick && evaluations < EQUAL_TIME_FROM) continue;
    const given = { policy: "default", evaluations, without: [] } as const;
    const equalTime = planInEqualTime(storm, weights, given, comparedSeeds);
    const { toTheEnd, inTheSameTime, different } = equalTime;
    const label = `${setting}: ours`;
    const of = `mean of ${comparedSeeds.length}`;
    figures[`${label}, every score to its end, ${of}`] = { value: round(mean(toTheEnd)), unit: "J" };
    figures[`${label}, evaluations in the same time`] = { value: equalTime.evaluations, unit: "" };
    figures[`${label}, in the same time, ${of}`] = { value: round(mean(inTheSameTime)), unit: "J" };
    goals.push(goal(`${setting}: plans that stopping changes`, different, "plans", "<=", 0));
    progress(`${label}, in the same time: J ${mean(inTheSameTime).toFixed(1)}`);
  }
  const speed = (without: PlannerOptions["without"]) => {
    const options = { policy: "default", seed: 1, evaluations: quick ? 400 : 20_000, without } as const;
    return searchSpeed(storm, defaultWeights, options, quick ? 1 : 3);
  };
  const [whole, tree] = [await speed([]), await speed(["annealing"])];
  figures["evaluations/s of a core, search"] = { value: Math.round(whole.evaluationsPerSecond), unit: "/s" };
  figures["evaluations/s of a core, tree alone"] = { value: Math.round(tree.evaluationsPerSecond), unit: "/s" };
  figures["time outside the evaluator, search"] = { value: round(100 * whole.overhead), unit: "%" };
  figures["time outside the evaluator, tree alone"] = { value: round(100 * tree.overhead), unit: "%" };
  goals.push(
    goal("evaluations/s of a core during the search", whole.evaluationsPerSecond, "/s", ">=", EVALUATIONS_PER_SECOND),
    goal("share of the tree's time outside the evaluator", tree.overhead, "", "<", TREE_OVERHEAD),
  );
  const clear = usDay("clear");
  const onClear = (method: Method) => measure(clear, defaultWeights, method, quick ? 50 : 500, seeds.slice(0, 1));
  const longest = Math.max(...methods.map((method) => onClear(method).plannings[0].plan.length));
  goals.push(goal("regulations of any method on the clear day", longest, "", "<=", 0));
  return benchReport("plan", rounds, figures, goals);
}

function seedList(count: number): number[] {
  return Array.from({ length: count }, (_, seed) => seed + 1);
}

function figuresOf(label: string, measured: Measured, seeds: number): Record<string, Figure> {
  const plannings = measured.plannings.slice(0, seeds);
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
      part("time", measured.seconds, "s"),
    ]),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
