import { resolve } from "node:path";
import { InvalidInput, type PlannerPart, type PlannerPolicy, plannerParts, plannerPolicies } from "@coppice/airspace";
import { exitCode } from "../exit-code.ts";
import { printEnd } from "../session/print-end.ts";
import { startToEnd } from "../session/run-to-end.ts";
import { type PlanRecord, plannedDay } from "./planned-day.ts";
import type { PlanFlags } from "./register-plan.ts";
import { chosenWeights } from "./weights.ts";

/** Name under which `tools/rebuild.ts` knows plan searches. */
const TOOL = "flow-plan";

/** `coppice flow plan`: a run whose result is a plan. */
export async function planDay(flags: PlanFlags): Promise<void> {
  const record = recordOf(flags);
  if (flags.evaluations < flags.roots) {
    throw new InvalidInput(
      `--evaluations ${flags.evaluations} --roots ${flags.roots}: every root needs at least one evaluation`,
    );
  }
  let directory = "";
  const planned = plannedDay(record, () => directory, { out: flags.out, report: flags.report });
  const session = await startToEnd(
    planned,
    (given) => {
      directory = given;
      return { tool: TOOL, options: record };
    },
    { ...flags, seed: record.planner.seed },
  );
  const { end } = session;
  if (end.state === "done") {
    planned.finish(end.result);
    if (end.result.best === undefined) process.exitCode = exitCode.failed;
  }
  printEnd(session, { json: flags.json, describe: planned.describe });
}

function recordOf(flags: PlanFlags): PlanRecord {
  return {
    ...(flags.instance === undefined ? {} : { instance: resolve(flags.instance) }),
    ...(flags.scenario === undefined ? {} : { scenario: flags.scenario }),
    weights: chosenWeights(flags),
    planner: {
      policy: policyOf(flags.policy),
      seed: flags.seed ?? 0,
      evaluations: flags.evaluations,
      without: flags.without.map(partOf),
    },
    roots: flags.roots,
  };
}

function policyOf(name: string): PlannerPolicy {
  const policy = plannerPolicies.find((known) => known === name);
  if (policy === undefined) throw new InvalidInput(`--policy ${name}: it must be one of ${plannerPolicies.join(", ")}`);
  return policy;
}

function partOf(name: string): PlannerPart {
  const part = plannerParts.find((known) => known === name);
  if (part === undefined) {
    throw new InvalidInput(`--without ${JSON.stringify(name)}: the parts are ${plannerParts.join(", ")}`);
  }
  return part;
}
