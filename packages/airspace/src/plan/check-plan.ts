import { wrongField } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";
import type { InputText } from "../import/input-text.ts";
import type { Instance } from "../instance/instance.ts";
import { flowsOf, type Plan } from "../network/regulation.ts";
import type { PublishedRegulation } from "../published/plans/plan-objective.ts";
import type { InspectedPlan } from "./plan-file.ts";

/** One rule a plan should keep, and where it does not. */
export interface PlanCheck {
  readonly name: string;
  readonly description: string;
  /** A line per violation. */
  readonly violations: readonly string[];
  /** How many cases were looked at. */
  readonly total: number;
}

/** Where a plan's lines stand in its file, and what there could not be read. */
type FileFindings = Pick<InspectedPlan, "numbers" | "problems">;

/** Searches that evaluated fewer plans than this found theirs by chance. */
const LEAST_EVALUATIONS = 5;

/** Checks a plan. `evaluations` is what its file says of the search, if it does. */
export function checkPlan(
  instance: Instance,
  plan: Plan,
  evaluations: number | undefined,
  { numbers, problems }: FileFindings = { numbers: plan.map((_, k) => k + 1), problems: [] },
): PlanCheck[] {
  const label = (k: number) => {
    const { volume, fromBin, toBin, flows } = plan[k];
    return `${instance.volumeIds[volume]} ${fromBin}-${toBin} flows ${flowsOf(flows).join(",")}`;
  };
  const first = new Map<string, number>();
  const repeated: string[] = [];
  const idle: string[] = [];
  plan.forEach(({ volume }, k) => {
    const earlier = first.get(label(k));
    if (earlier === undefined) first.set(label(k), k);
    else repeated.push(`regulation ${numbers[k]} repeats regulation ${numbers[earlier]}: ${label(k)}`);
    const unknown = flowsOf(plan[k].flows).filter((flow) => flow >= instance.flowNames[volume].length);
    if (plan[k].flows === 0 || unknown.length > 0 || !(plan[k].ratePerHour > 0)) {
      idle.push(`regulation ${numbers[k]} has no flows or no rate: ${label(k)}`);
    }
  });
  return [
    ...regulationChecks(new Set(numbers).size, plan.length, { problems, repeated, idle }),
    evaluationsCheck(evaluations),
  ];
}

/** Checks a plan of the published planner, whose flows are its own: its regulations by their number in the file, and what could not be read. */
export function checkPublishedPlan(
  instance: Instance,
  regulations: ReadonlyMap<number, Pick<PublishedRegulation, "volume" | "window" | "flowIds">>,
  problems: readonly string[],
  evaluations: number | undefined,
): PlanCheck[] {
  const first = new Map<string, number>();
  const repeated = [...regulations].flatMap(([number, { volume, window, flowIds }]) => {
    const label = `${instance.volumeIds[volume]} ${window.join("-")} flows ${flowIds.join(",")}`;
    const earlier = first.get(label);
    if (earlier === undefined) first.set(label, number);
    return earlier === undefined ? [] : [`regulation ${number} repeats regulation ${earlier}: ${label}`];
  });
  return [
    ...regulationChecks(regulations.size, regulations.size, { problems, repeated, idle: [] }),
    evaluationsCheck(evaluations),
  ];
}

function evaluationsCheck(evaluations: number | undefined): PlanCheck {
  const few = evaluations !== undefined && evaluations < LEAST_EVALUATIONS;
  return {
    name: "unique_evals",
    description: "the search evaluated more than a handful of plans",
    violations: few ? [`${evaluations} evaluations; at least ${LEAST_EVALUATIONS} are expected`] : [],
    total: evaluations === undefined ? 0 : 1,
  };
}

/** The rules for single regulations; `regulations` could be read, as so many `lines` of a plan. */
function regulationChecks(
  regulations: number,
  lines: number,
  { problems, repeated, idle }: Readonly<Record<"problems" | "repeated" | "idle", readonly string[]>>,
): PlanCheck[] {
  return [
    {
      name: "known_regulations",
      description: "volumes, windows and flows are those of the day, rates are above 0",
      violations: problems,
      total: regulations + problems.length,
    },
    {
      name: "no_duplicate_regulations",
      description: "no two regulations have the same volume, window and flows",
      violations: repeated,
      total: lines,
    },
    { name: "flows_and_rates", description: "every regulation has flows and a rate", violations: idle, total: lines },
  ];
}

const runEnd = z.object({
  artifacts: z.object({ delays_min: z.record(z.string(), z.number()).optional() }).optional(),
});

/** Delays of the published planner come in whole steps of this many minutes. */
const STEP_MINUTES = 15;

/**
 * Checks that the delays which the published planner's run log gives at its last `run_end` are whole steps. Without a log,
 * or without delays in it, there is nothing to check. A plan of the network's model delays by the minute.
 */
export function checkDelayGranularity(log: InputText | undefined): PlanCheck {
  const delays = Object.entries(log === undefined ? {} : lastDelays(log)).filter(([, minutes]) => minutes > 0);
  return {
    name: "delay_granularity",
    description: `delays are multiples of ${STEP_MINUTES} minutes`,
    violations: delays
      .filter(([, minutes]) => minutes % STEP_MINUTES !== 0)
      .map(([flight, minutes]) => `${flight} is delayed by ${minutes} minutes`),
    total: delays.length,
  };
}

function lastDelays({ source, text }: InputText): Record<string, number> {
  let delays: Record<string, number> = {};
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const where = `${source}: line ${at + 1}`;
    const entry = parsed(line, where);
    if (!isRunEnd(entry)) continue;
    const checked = runEnd.safeParse(entry);
    if (!checked.success) throw new UsageError(`${where}: ${wrongField(checked.error.issues)}`);
    delays = checked.data.artifacts?.delays_min ?? {};
  }
  return delays;
}

function parsed(line: string, where: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new UsageError(`${where}: not JSON; a run log has an object per line`);
  }
}

/** Events name their kind as `type` or `event`. */
function isRunEnd(entry: unknown): boolean {
  if (typeof entry !== "object" || entry === null) return false;
  return ("type" in entry && entry.type === "run_end") || ("event" in entry && entry.event === "run_end");
}
