import type { Consultation, ConsultContext, ModelAnswer } from "@coppice/agents/models";
import { type SwarmPlan, type SwarmResult, SwarmSearch, swarmText } from "@coppice/agents/swarm";
import { decode, type RunFile } from "@coppice/engine";
import { plannedConsultation } from "../consult/planned-consultation.ts";
import { successExit } from "../consult/success-exit.ts";
import type { PlannedRun } from "../tools/planned-run.ts";

/** What `run.json` keeps of a swarm. */
export interface SwarmRecord {
  readonly plan: SwarmPlan;
  readonly minSuccess: number;
  readonly maxCost?: number;
}

/** A swarm as a run, the same for a start, a resume and a verification. */
export function planSwarm(
  { plan, minSuccess, maxCost }: SwarmRecord,
  context: ConsultContext,
): PlannedRun<Consultation, ModelAnswer, SwarmResult> {
  return plannedConsultation({
    search: new SwarmSearch(plan),
    context,
    models: plan.tasks.map(({ request }) => request.model),
    maxCost,
    describe: swarmText,
    document: (result) => ({ ...result }),
    exitCode: ({ summary }) => successExit(summary, minSuccess),
  });
}

/** Prepares a recorded swarm again, with the prompts and models it was started with. */
export async function rebuildSwarm({ options, context }: RunFile): Promise<PlannedRun> {
  return planSwarm(options as SwarmRecord, decode(context) as ConsultContext) as PlannedRun;
}
