import { resolve } from "node:path";
import {
  type CommitRules,
  type EpisodeOptions,
  type PlannerPart,
  type PlannerPolicy,
  plannerParts,
  plannerPolicies,
  RATE_WORKERS,
} from "@coppice/airspace";
import { UsageError } from "@coppice/engine";
import { poolOfWorkers } from "../options/worker-names.ts";
import { newRun, runAndPrint } from "../session/live-run.ts";
import { checkOutput } from "./output-file.ts";
import { budgetOf } from "./plan-budget.ts";
import { planCrew, type Source, strongest } from "./plan-crew.ts";
import { type PlanRecord, plannedDay } from "./planned-day.ts";
import type { PlanFlags } from "./register-plan.ts";
import { chosenWeights } from "./weights.ts";

/** `coppice flow plan`: a run whose result is a plan. */
export async function planDay(flags: PlanFlags, sourceOf: (option: string) => Source): Promise<void> {
  const record = recordOf(flags);
  checkOutput("--out", flags.out);
  checkOutput("--report", flags.report);
  const work = workOf(flags, record, sourceOf);
  const prepared = plannedDay(record, { out: flags.out, report: flags.report });
  const { seed: _, ...options } = { ...flags, ...work };
  await runAndPrint(prepared, newRun(options), options);
}

/** How the search is worked on; says where less is given than was asked for. */
function workOf(flags: PlanFlags, { roots, commits, outer }: PlanRecord, sourceOf: (option: string) => Source) {
  const workers = strongest<number | "auto">({
    own: { flag: "--num-workers-root", value: flags.numWorkersRoot, source: sourceOf("numWorkersRoot") },
    common: { flag: "--workers", value: flags.workers, source: sourceOf("workers") },
  });
  const backend = flags.parallelBackend === undefined ? undefined : poolOfWorkers(flags.parallelBackend);
  const pool = strongest({
    own: { flag: "--parallel-backend", value: backend, source: sourceOf("parallelBackend") },
    common: { flag: "--pool", value: flags.pool, source: sourceOf("pool") },
  });
  const asked = workers === flags.numWorkersRoot || workers === "auto" ? flags.numWorkersRoot : undefined;
  const crew = planCrew({
    workers: asked,
    mostUseful: commits === undefined ? roots * (outer?.runs ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY,
    rateWorkers: flags.numWorkersRf,
  });
  for (const notice of crew.notices) process.stderr.write(`coppice: ${notice}\n`);
  // Workers read it from their environment: it is no part of what shapes the answer.
  process.env[RATE_WORKERS] = String(crew.rateWorkers);
  return {
    // What every command calls --workers is taken at its word.
    workers: typeof workers === "number" && workers !== asked ? workers : pool === "inline" ? 1 : crew.workers,
    ...(pool === undefined ? {} : { pool }),
  };
}

function recordOf(flags: PlanFlags): PlanRecord {
  const { evaluations, timeMs, outer } = budgetOf(flags);
  const commits = commitsOf(flags);
  if (commits !== undefined && timeMs !== undefined) {
    throw new UsageError("--parallel-mode time: not with exact rates, whose trees share their workers; use --max-time");
  }
  const episode = episodeOf(flags);
  return {
    ...(flags.instance === undefined ? {} : { instance: resolve(flags.instance) }),
    ...(flags.scenario === undefined ? {} : { scenario: flags.scenario }),
    weights: chosenWeights(flags),
    planner: {
      policy: commits === undefined ? policyOf(flags.policy ?? "default") : "plain",
      seed: flags.seed ?? 0,
      evaluations,
      without: withoutOf(flags),
      ...(timeMs === undefined ? {} : { timeMs }),
      ...(Object.keys(episode).length === 0 ? {} : { episode }),
    },
    roots: flags.roots,
    ...(commits === undefined ? {} : { commits }),
    ...(outer.runs === 1 ? {} : { outer: recordedRuns(outer) }),
  };
}

/** JSON has no infinity: any number of runs is written as none given. */
function recordedRuns({ runs, timeMs }: ReturnType<typeof budgetOf>["outer"]): NonNullable<PlanRecord["outer"]> {
  return { ...(Number.isFinite(runs) ? { runs } : {}), ...(timeMs === undefined ? {} : { timeMs }) };
}

/** How commits are searched, where rates are exact; options that then or otherwise mean nothing are refused. */
function commitsOf(flags: PlanFlags): CommitRules | undefined {
  const { mode, rates, policy } = flags;
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
  const only = (flag: string, given: boolean, right: boolean, where: string): void => {
    if (given && !right) throw new UsageError(`${flag}: needs ${where}`);
  };
  only("--speculate", flags.speculate !== undefined, stepwise, "--mode stepwise");
  only("--commit-evaluations", flags.commitEvaluations !== undefined, stepwise, "--mode stepwise");
  const exactly = "exact rates: --mode stepwise, or --policy plain --rates exact";
  only("--async-commits", flags.asyncCommits === true, exact, exactly);
  only(`--num-workers-rf ${flags.numWorkersRf}`, flags.numWorkersRf > 0, exact, exactly);
  if (exact && flags.without.length > 0) throw new UsageError("--without: its parts are those of --policy default");
  if (!exact) return undefined;
  const hotspotsAtOnce = flags.speculate ?? 1;
  const commitsPerRound = flags.commitEvaluations ?? 64;
  if (stepwise && commitsPerRound < flags.roots * hotspotsAtOnce) {
    throw new UsageError(
      `--commit-evaluations ${commitsPerRound}: ${flags.roots * hotspotsAtOnce} trees (roots × hotspots) need at least one each`,
    );
  }
  return {
    mode: stepwise ? "stepwise" : "episode",
    window: flags.asyncCommits ? 8 : 1,
    hotspotsAtOnce,
    commitsPerRound,
  };
}

/** What the options say of episodes. */
function episodeOf(flags: PlanFlags): Partial<EpisodeOptions> {
  const { maxRegulations, maxActions, dwellingFactor, maxRemovals, back } = flags;
  const { hotspotTemperature: hotspot, flowTemperature: flow, otherTemperature: other } = flags;
  const warm = hotspot !== undefined || flow !== undefined || other !== undefined;
  const episode: Partial<EpisodeOptions> = {
    ...(maxRegulations === undefined ? {} : { maxRegulations }),
    ...(maxActions === undefined ? {} : { maxActions }),
    ...(dwellingFactor === undefined ? {} : { dwellingFactor }),
    ...(maxRemovals === undefined ? {} : { maxRemovals }),
    ...(back === undefined ? {} : { back }),
    ...(warm ? { temperature: { hotspot: hotspot ?? 1, flow: flow ?? 1, other: other ?? 1 } } : {}),
  };
  const plays = flags.mode === "stepwise" || flags.policy === "plain";
  const [given] = Object.keys(episode);
  if (given !== undefined && !plays) {
    throw new UsageError(`${flagOf(given)}: is about episodes; it needs --policy plain or --mode stepwise`);
  }
  return episode;
}

function flagOf(option: string): string {
  if (option === "temperature") return "--hotspot-temperature, --flow-temperature, --other-temperature";
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function policyOf(name: string): PlannerPolicy {
  const policy = plannerPolicies.find((known) => known === name);
  if (policy === undefined) throw new UsageError(`--policy ${name}: it must be one of ${plannerPolicies.join(", ")}`);
  return policy;
}

/** What each policy has that can be switched off. */
const partsOf: Readonly<Partial<Record<string, readonly PlannerPart[]>>> = {
  default: plannerParts,
  annealing: ["along", "splitting"],
  random: ["along"],
};

/** Parts to be switched off; those that the policy does not have are refused, and so is leaving nothing to search with. */
function withoutOf({ without, policy = "default" }: PlanFlags): PlannerPart[] {
  const parts = without.map(partOf);
  const there = partsOf[policy] ?? [];
  const absent = parts.find((part) => !there.includes(part));
  if (absent !== undefined) {
    throw new UsageError(
      `--policy ${policy} --without ${absent}: that policy has ${there.length === 0 ? "no such parts" : `only ${there.join(", ")}`}`,
    );
  }
  if (parts.includes("tree") && parts.includes("annealing")) {
    throw new UsageError("--without tree,annealing: nothing is left to search with; --policy empty gives that plan");
  }
  return parts;
}

function partOf(name: string): PlannerPart {
  const part = plannerParts.find((known) => known === name);
  if (part === undefined) {
    throw new UsageError(`--without ${JSON.stringify(name)}: the parts are ${plannerParts.join(", ")}`);
  }
  return part;
}
