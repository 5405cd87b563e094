import { MOST_PROMPTS } from "@coppice/agents/swarm";
import { UsageError } from "@coppice/engine";
import { printRequests } from "../consult/dry-run.ts";
import type { BatchFlags } from "../consult/options.ts";
import { runConsultation } from "../consult/run-consultation.ts";
import { consultSetup } from "../consult/setup.ts";
import { planSwarm, type SwarmRecord } from "./plan-swarm.ts";
import { swarmPlan } from "./swarm-plan.ts";

export interface SwarmFlags extends BatchFlags {
  readonly analyze?: string;
  readonly generate?: number;
  readonly review?: readonly string[];
  readonly testCases?: number;
  readonly batch?: number;
  readonly personas?: string;
  readonly focus?: string;
  readonly file?: string;
  readonly customPrompt?: string;
  readonly maxFileBytes: number;
  readonly requestsPerMinute?: number;
}

/** `coppice swarm`: everything is checked before the first request. */
export async function swarm(text: string | undefined, flags: SwarmFlags): Promise<void> {
  const setup = consultSetup(flags);
  const plan = await swarmPlan(text, flags, setup);
  if (plan.tasks.length > MOST_PROMPTS) {
    throw new UsageError(`that would be ${plan.tasks.length} prompts; a swarm has at most ${MOST_PROMPTS}`);
  }
  if (plan.tasks.length === 0) {
    const [first] = plan.skipped;
    throw new UsageError(`nothing is left to ask about: ${first === undefined ? "" : `${first.label}: ${first.why}`}`);
  }
  if (flags.dryRun === true) {
    printRequests(plan.tasks, setup.models, flags.json ?? false);
    return;
  }
  const { minSuccess, maxCost } = flags;
  const record: SwarmRecord = { plan, minSuccess, ...(maxCost === undefined ? {} : { maxCost }) };
  const planned = planSwarm(record, setup.context);
  await runConsultation(planned, flags, plan.tasks.length);
}
