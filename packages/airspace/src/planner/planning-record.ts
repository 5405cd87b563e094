import { resolve } from "node:path";
import { counted } from "@coppice/engine/figures";
import { onlyGiven } from "@coppice/engine/only-given";
import { UsageError } from "@coppice/engine/usage-error";
import type { EpisodeOptions } from "../episode/episode-options.ts";
import { frontPrices } from "../front/front-search.ts";
import { recordedFlows } from "../import/chosen-flows.ts";
import { type DayChoice, openDay } from "../import/open-day.ts";
import { capacityOrigin } from "../instance/capacity-origin.ts";
import { chosenWeights, type PriceChoice } from "../network/chosen-weights.ts";
import type { Weights } from "../network/weights.ts";
import { weathersOf } from "../robust/weather-draws.ts";
import type { CommitRules } from "../stepwise/commit-task.ts";
import { type PlannerOptions, type PlannerPart, plannerParts, plannerPolicies } from "./planner-options.ts";
import { leastEvaluations, type PopulationShape, populationShape } from "./population/population-shape.ts";
import type { OuterRuns } from "./root-search.ts";
import { type LimitChoices, searchLimits } from "./search-limits.ts";

/** What `run.json` keeps of a search for a plan: all that shapes its answer, and where that is written. */
export interface PlanningRecord extends DayChoice {
  readonly weights: Weights;
  readonly planner: PlannerOptions;
  /** Independent searches; absent where walkers search together. */
  readonly roots?: number;
  readonly population?: PopulationShape;
  /** Set where walkers plan for so many draws of the weather at once. */
  readonly robust?: number;
  /** Set where a plan is found for each of these prices of a minute, the run's own among them. */
  readonly front?: readonly number[];
  /** Set where rates are found inside the search. */
  readonly commits?: CommitRules;
  /** Set where the whole search is repeated; without `runs` any number of times. */
  readonly outer?: Partial<OuterRuns>;
  /** Where the plan and its report are written besides the run's directory; absolute, so that a resume finds them. */
  readonly out?: string;
  readonly report?: string;
}

/** What people choose of it, under the names of the options of `coppice flow plan`. */
export interface PlanningChoices extends PriceChoice, DayChoice, LimitChoices {
  readonly seed?: number;
  readonly mode: "episode" | "stepwise";
  readonly policy?: string;
  readonly rates: "cheap" | "exact";
  readonly without: readonly string[];
  readonly walkers?: number;
  readonly rounds?: number;
  /** Draws of the weather, the forecast among them. */
  readonly robust?: number;
  /** True for the usual prices of a minute, or which ones. */
  readonly front?: boolean | readonly number[];

  readonly maxRegulations?: number;
  readonly maxActions?: number;
  readonly dwellingFactor?: number;
  readonly maxRemovals?: number;
  readonly back?: boolean;
  readonly hotspotTemperature?: number;
  readonly flowTemperature?: number;
  readonly otherTemperature?: number;
  readonly priors?: EpisodeOptions["priors"];
  readonly stop?: EpisodeOptions["stop"];
  readonly hotspots?: number;
  readonly reversalBan?: number;
  readonly exploration?: number;
  /** Base, factor and exponent. */
  readonly widening?: readonly number[];
  /** Share and concentration. */
  readonly rootNoise?: readonly number[];
  readonly phi?: number;

  /** True for the usual window, or how many commits may be out. */
  readonly asyncCommits?: boolean | number;
  readonly speculate?: number;
  readonly commitEvaluations?: number;
  readonly numWorkersRf: number;

  readonly out?: string;
  readonly report?: string;
}

/** The record of a search as it was chosen; choices that contradict each other or mean nothing together are refused. */
export function planningRecord(choices: PlanningChoices): PlanningRecord {
  const alone = independent(choices);
  const roots = choices.roots ?? USUAL_ROOTS;
  const { evaluations, timeMs, outer } = searchLimits({ ...choices, roots: alone === undefined ? 1 : roots });
  const commits = commitsOf({ ...choices, roots });
  if (commits !== undefined && timeMs !== undefined) {
    throw new UsageError("--parallel-mode time: not with exact rates, whose trees share their workers; use --max-time");
  }
  const episode = episodeOf(choices);
  const { instance, scenario, flows, seed = 0, policy = "default", robust, out, report } = choices;
  const weights = chosenWeights(choices);
  return {
    ...(instance === undefined ? {} : { instance: resolve(instance) }),
    ...(scenario === undefined ? {} : { scenario }),
    ...(flows === undefined ? {} : { flows: recordedFlows(flows) }),
    weights,
    planner: {
      policy: commits === undefined ? oneOf("--policy", policy, plannerPolicies) : "plain",
      seed,
      evaluations,
      without: withoutOf(choices),
      ...(timeMs === undefined ? {} : { timeMs }),
      ...(Object.keys(episode).length === 0 ? {} : { episode }),
    },
    ...(alone === undefined ? { population: populationOf(choices, evaluations) } : { roots }),
    ...(robust === undefined ? {} : { robust }),
    ...frontOf(choices, weights),
    ...(commits === undefined ? {} : { commits }),
    ...(outer.runs === 1 ? {} : { outer: recordedRuns(outer) }),
    ...(out === undefined ? {} : { out: resolve(out) }),
    ...(report === undefined ? {} : { report: resolve(report) }),
  };
}

/** What whoever plans should know of the day before it begins. */
export function planningNotices(record: DayChoice & Pick<PlanningRecord, "robust">): string[] {
  const day = openDay(record);
  const still = record.robust !== undefined && record.robust > 1 && weathersOf(day).length === 0;
  return [
    `capacities: ${capacityOrigin(day)}`,
    ...(still
      ? [`--robust: capacity never falls during ${day.name}, so every draw of the weather is the forecast`]
      : []),
  ];
}

/** Searches that share the evaluations, where nobody said how many. */
const USUAL_ROOTS = 2;

/** What makes searches independent of each other, in the user's words; undefined where walkers search together. */
function independent(choices: PlanningChoices): string | undefined {
  const { roots, mode, policy, rates, parallelMode, outerMaxRuns, outerMaxTime, without } = choices;
  const [reason] = [
    ...(roots === undefined ? [] : ["--roots"]),
    ...(mode === "stepwise" ? ["--mode stepwise"] : []),
    ...(policy === undefined || policy === "default" ? [] : [`--policy ${policy}`]),
    ...(rates === "exact" ? ["--rates exact"] : []),
    ...(parallelMode === "time" ? ["--parallel-mode time"] : []),
    ...(outerMaxRuns === undefined || outerMaxRuns === 1 ? [] : ["--outer-max-runs"]),
    ...(outerMaxTime === undefined ? [] : ["--outer-max-time"]),
    ...(without.includes("annealing") ? ["--without annealing"] : []),
  ];
  const ofWalkers = ["walkers", "rounds", "robust", "front"] as const;
  const flag = ofWalkers.find((name) => choices[name] !== undefined);
  if (reason !== undefined && flag !== undefined) {
    throw new UsageError(`--${flag}: not with ${reason}, whose searches know nothing of each other`);
  }
  return reason;
}

function populationOf(choices: PlanningChoices, evaluations: number): PopulationShape {
  const { walkers, rounds } = choices;
  const shape = populationShape(evaluations, onlyGiven({ walkers, rounds }));
  const least = leastEvaluations(shape);
  if (evaluations < least) {
    throw new UsageError(
      `--evaluations ${evaluations}: ${counted(shape.walkers, "walker")} in ${counted(shape.rounds, "round")} must have at least two per segment, ${least} in all`,
    );
  }
  return shape;
}

/** Prices of a front, where one was asked for. */
function frontOf({ front, robust }: PlanningChoices, weights: Weights): { readonly front?: readonly number[] } {
  if (front === undefined || front === false) return {};
  if (robust !== undefined) throw new UsageError("--front: not with --robust; plan one of them at a time");
  if (front === true && weights.delayMinute === 0) {
    throw new UsageError(
      "--front: its prices are multiples of --lambda, which is 0; list them: --front 0.01,0.02,0.04",
    );
  }
  return { front: frontPrices(weights.delayMinute, front === true ? undefined : front) };
}

/** JSON has no infinity: any number of runs is written as none given. */
function recordedRuns({ runs, timeMs }: OuterRuns): Partial<OuterRuns> {
  return { ...(Number.isFinite(runs) ? { runs } : {}), ...(timeMs === undefined ? {} : { timeMs }) };
}

/** Commits out at once per tree, where nobody said how many. */
const USUAL_WINDOW = 8;

/** How commits are searched, where rates are exact. */
function commitsOf(choices: PlanningChoices & { readonly roots: number }): CommitRules | undefined {
  const { mode, rates, policy, roots, speculate, commitEvaluations, asyncCommits, numWorkersRf } = choices;
  const stepwise = mode === "stepwise";
  if (stepwise && policy !== undefined && policy !== "plain") {
    throw new UsageError(
      `--mode stepwise --policy ${policy}: one regulation at a time is searched by episodes (plain)`,
    );
  }
  if (!stepwise && rates === "exact" && policy !== "plain") {
    throw new UsageError("--rates exact: needs --policy plain or --mode stepwise; the others choose rates themselves");
  }
  const exact = stepwise || rates === "exact";
  const exactly = "exact rates: --mode stepwise, or --policy plain --rates exact";
  needs("--speculate", speculate !== undefined, stepwise, "--mode stepwise");
  needs("--commit-evaluations", commitEvaluations !== undefined, stepwise, "--mode stepwise");
  needs("--async-commits", asyncCommits !== undefined && asyncCommits !== false, exact, exactly);
  needs(`--num-workers-rf ${numWorkersRf}`, numWorkersRf > 0, exact, exactly);
  if (!exact) return undefined;
  if (choices.without.length > 0) throw new UsageError("--without: its parts are those of --policy default");
  if (choices.priors === "sampled") {
    throw new UsageError("--priors sampled: draws rates itself; it needs --policy plain with --rates cheap");
  }
  const hotspotsAtOnce = speculate ?? 1;
  const commitsPerRound = commitEvaluations ?? 64;
  const trees = roots * hotspotsAtOnce;
  if (stepwise && commitsPerRound < trees) {
    throw new UsageError(
      `--commit-evaluations ${commitsPerRound}: ${trees} trees (roots × hotspots) need at least one each`,
    );
  }
  return { mode, window: asyncCommits === true ? USUAL_WINDOW : asyncCommits || 1, hotspotsAtOnce, commitsPerRound };
}

function needs(flag: string, given: boolean, right: boolean, what: string): void {
  if (given && !right) throw new UsageError(`${flag}: needs ${what}`);
}

/** What the choices say of episodes. */
function episodeOf(choices: PlanningChoices): Partial<EpisodeOptions> {
  const { maxRegulations, maxActions, dwellingFactor, maxRemovals, back, widening, rootNoise } = choices;
  const { priors, stop, hotspots, reversalBan, exploration, phi } = choices;
  const { hotspotTemperature: hotspot, flowTemperature: flow, otherTemperature: other } = choices;
  const warm = hotspot !== undefined || flow !== undefined || other !== undefined;
  const chosen = {
    ...{ maxRegulations, maxActions, dwellingFactor, maxRemovals, back },
    temperature: warm ? { hotspot: hotspot ?? 1, flow: flow ?? 1, other: other ?? 1 } : undefined,
    ...{ priors, stop, hotspots, reversalBan, exploration, phi },
    widening: widening === undefined ? undefined : { base: widening[0], factor: widening[1], exponent: widening[2] },
    rootNoise: rootNoise === undefined ? undefined : { share: rootNoise[0], concentration: rootNoise[1] },
  };
  const episode: Partial<EpisodeOptions> = onlyGiven(chosen);
  const [given] = Object.keys(episode);
  if (given !== undefined && choices.mode !== "stepwise" && choices.policy !== "plain") {
    throw new UsageError(`${flagOf(given)}: applies to episodes; it needs --policy plain or --mode stepwise`);
  }
  const idle = priors === "sampled" ? builtOnly.find((name) => name in episode) : undefined;
  if (idle !== undefined) {
    throw new UsageError(
      `${flagOf(idle)}: is about regulations built flow by flow; --priors sampled draws whole ones and knows what each costs`,
    );
  }
  return episode;
}

/** What episodes of sampled regulations have no use for. */
const builtOnly: readonly (keyof EpisodeOptions)[] = [
  "dwellingFactor",
  "maxRemovals",
  "back",
  "temperature",
  "stop",
  "hotspots",
  "reversalBan",
  "phi",
];

function flagOf(option: string): string {
  if (option === "temperature") return "--hotspot-temperature, --flow-temperature, --other-temperature";
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function oneOf<Name extends string>(flag: string, given: string, names: readonly Name[]): Name {
  const name = names.find((known) => known === given);
  if (name === undefined) throw new UsageError(`${flag} ${given}: it must be one of ${names.join(", ")}`);
  return name;
}

/** What each policy has that can be switched off. */
const partsOf: Readonly<Partial<Record<string, readonly PlannerPart[]>>> = {
  default: plannerParts,
  annealing: ["along", "splitting"],
  random: ["along"],
};

/** Parts to be switched off; those that the policy does not have are refused, and so is leaving nothing to search with. */
function withoutOf({ without, policy = "default" }: PlanningChoices): PlannerPart[] {
  const parts = without.map((name) => {
    const part = plannerParts.find((known) => known === name);
    if (part !== undefined) return part;
    throw new UsageError(`--without ${JSON.stringify(name)}: the parts are ${plannerParts.join(", ")}`);
  });
  const there = partsOf[policy] ?? [];
  const absent = parts.find((part) => !there.includes(part));
  if (absent !== undefined) {
    throw new UsageError(
      `--policy ${policy} --without ${absent}: that policy has ${there.length === 0 ? "no such parts" : `only ${there.join(", ")}`}`,
    );
  }
  if (parts.includes("tree") && parts.includes("annealing")) {
    throw new UsageError("--without tree,annealing: nothing is left to search with; --policy empty is that plan");
  }
  return parts;
}
