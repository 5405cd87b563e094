import { defaultWeights, type Instance, type PlannerOptions, usDay, type Weights } from "@coppice/airspace";
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

/** What is planned: a price of a minute of delay, a budget, and the seeds of all methods and of those compared closely. */
interface Planned {
  readonly storm: Instance;
  readonly setting: (typeof settings)[number];
  readonly seeds: readonly number[];
  readonly comparedSeeds: readonly number[];
  readonly progress: (line: string) => void;
}

interface Part {
  readonly figures: Readonly<Record<string, Figure>>;
  readonly goals: readonly Goal[];
}

/**
 * How good plans of the real day are, method by method, for the same number of evaluations (`methods`) and, with and
 * without stopping at what is not wanted, in the same time (`time`); and how fast they are looked for (`speed`). Rounds
 * are seeds; without a number every method has five, ours and annealing ten.
 */
export async function planBench(options: BenchOptions = {}): Promise<BenchReport> {
  const { quick = false, progress = () => {} } = options;
  const rounds = options.rounds ?? (quick ? 1 : SEEDS);
  const comparedSeeds = seedList(options.rounds ?? (quick ? 1 : COMPARED_SEEDS));
  const seeds = seedList(rounds);
  const storm = usDay("storm");
  const wants = (part: string) => options.parts?.includes(part) ?? true;
  const measured: Part[] = [];
  for (const setting of quick ? quickSettings : settings) {
    const planned = { storm, setting, seeds, comparedSeeds, progress };
    if (wants("methods")) measured.push(compareMethods(planned));
    if (wants("time") && (quick || setting.evaluations >= EQUAL_TIME_FROM)) measured.push(compareInEqualTime(planned));
  }
  if (wants("speed")) measured.push(await measureSpeed(storm, quick));
  if (wants("methods")) measured.push(planClearDay(quick));
  const figures = Object.assign({}, ...measured.map((part) => part.figures)) as Part["figures"];
  return benchReport(
    "plan",
    rounds,
    figures,
    measured.flatMap(({ goals }) => goals),
  );
}

/** J of every method with the same evaluations. */
function compareMethods({ storm, setting, seeds, comparedSeeds, progress }: Planned): Part {
  const { lambda, evaluations, target, annealingTarget } = setting;
  const name = nameOf(setting);
  const figures: Record<string, Figure> = {};
  const means: Record<string, number> = {};
  const comparedMeans: Record<string, number> = {};
  let treeShare = 0;
  for (const method of methods) {
    const label = `${name}: ${method.name}`;
    const isCompared = compared.includes(method.name);
    const measured = measure(storm, weightsOf(setting), method, evaluations, isCompared ? comparedSeeds : seeds);
    const objectives = measured.plannings.map(({ score }) => score.objective);
    Object.assign(figures, figuresOf(label, measured, seeds.length));
    means[method.name] = mean(objectives.slice(0, seeds.length));
    comparedMeans[method.name] = mean(objectives);
    if (isCompared) figures[`${label}, mean of ${objectives.length}`] = { value: round(mean(objectives)), unit: "J" };
    treeShare = mean(measured.plannings.map((planning) => planning.treeEvaluations / planning.evaluations));
    progress(`${label}: J ${means[method.name].toFixed(1)}`);
  }
  const above = comparedMeans.ours - comparedMeans.annealing;
  const ofSeeds = `${comparedSeeds.length} seeds`;
  const goals = [
    goal(`${name}: ours`, means.ours, "J", "<=", target),
    goal(`${name}: ours above annealing, ${ofSeeds}`, above, "J", "<=", WORSE_THAN_ANNEALING),
    goal(`${name}: share of evaluations in the tree`, treeShare, "", ">=", TREE_SHARE),
  ];
  if (lambda === episodeTargets.lambda && evaluations === episodeTargets.evaluations) {
    for (const policy of ["episodes", "episodes of sampled regulations"] as const) {
      goals.push(goal(`${name}: ${policy}`, means[policy], "J", "<=", episodeTargets[policy]));
    }
  }
  if (annealingTarget !== undefined) {
    goals.push(goal(`${name}: annealing`, comparedMeans.annealing, "J", "<=", annealingTarget));
  }
  return { figures, goals };
}

/** Ours with as many evaluations and in as much time, with and without stopping at what is not wanted. */
function compareInEqualTime({ storm, setting, comparedSeeds, progress }: Planned): Part {
  const given = { policy: "default", evaluations: setting.evaluations, without: [] } as const;
  const equalTime = planInEqualTime(storm, weightsOf(setting), given, comparedSeeds);
  const { toTheEnd, inTheSameTime, different } = equalTime;
  const label = `${nameOf(setting)}: ours`;
  const of = `mean of ${comparedSeeds.length}`;
  progress(`${label}, in the same time: J ${mean(inTheSameTime).toFixed(1)}`);
  return {
    figures: {
      [`${label}, every score to its end, ${of}`]: { value: round(mean(toTheEnd)), unit: "J" },
      [`${label}, evaluations in the same time`]: { value: equalTime.evaluations, unit: "" },
      [`${label}, in the same time, ${of}`]: { value: round(mean(inTheSameTime)), unit: "J" },
    },
    goals: [goal(`${nameOf(setting)}: plans that stopping changes`, different, "plans", "<=", 0)],
  };
}

/** Evaluations per second of one core, and what else its time goes into. */
async function measureSpeed(storm: Instance, quick: boolean): Promise<Part> {
  const speed = (without: PlannerOptions["without"]) => {
    const options = { policy: "default", seed: 1, evaluations: quick ? 400 : 20_000, without } as const;
    return searchSpeed(storm, defaultWeights, options, quick ? 1 : 3);
  };
  const [whole, tree] = [await speed([]), await speed(["annealing"])];
  return {
    figures: {
      "evaluations/s of a core, search": { value: Math.round(whole.evaluationsPerSecond), unit: "/s" },
      "evaluations/s of a core, tree alone": { value: Math.round(tree.evaluationsPerSecond), unit: "/s" },
      "time outside the evaluator, search": { value: round(100 * whole.overhead), unit: "%" },
      "time outside the evaluator, tree alone": { value: round(100 * tree.overhead), unit: "%" },
    },
    goals: [
      goal("evaluations/s of a core during the search", whole.evaluationsPerSecond, "/s", ">=", EVALUATIONS_PER_SECOND),
      goal("share of the tree's time outside the evaluator", tree.overhead, "", "<", TREE_OVERHEAD),
    ],
  };
}

/** On a day on which nothing is to be gained no method regulates. */
function planClearDay(quick: boolean): Part {
  const clear = usDay("clear");
  const onClear = (method: Method) => measure(clear, defaultWeights, method, quick ? 50 : 500, [1]);
  const longest = Math.max(...methods.map((method) => onClear(method).plannings[0].plan.length));
  return { figures: {}, goals: [goal("regulations of any method on the clear day", longest, "", "<=", 0)] };
}

function nameOf({ lambda, evaluations }: Planned["setting"]): string {
  return `λ ${lambda}, ${evaluations} evaluations`;
}

function weightsOf({ lambda }: Planned["setting"]): Weights {
  return { ...defaultWeights, delayMinute: lambda };
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
