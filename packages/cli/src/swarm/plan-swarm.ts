import type { Consultation, ConsultContext, ModelAnswer } from "@coppice/agents/models";
import { type SwarmPlan, type SwarmResult, SwarmSearch, swarmText } from "@coppice/agents/swarm";
import { decode, type PreparedRun, type RunFile } from "@coppice/engine";
import { plannedConsultation } from "../consult/planned-consultation.ts";
import { successExit } from "../consult/success-exit.ts";

/** What `run.json` keeps of a swarm. */
export interface SwarmRecord {
  readonly plan: SwarmPlan;
  readonly minSuccess: number;
  readonly maxCost?: number;
}

/** Asks that may be unanswered: enough for any concurrency, few enough to hold in memory. */
const LOOKAHEAD = 256;

/** A swarm as a run, the same for a start, a resume and a verification. */
export function planSwarm(
  record: SwarmRecord,
  context: ConsultContext,
): PreparedRun<Consultation, ModelAnswer, SwarmResult> {
  const { plan, minSuccess, maxCost } = record;
  return plannedConsultation({
    tool: "swarm",
    record,
    lookahead: LOOKAHEAD,
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
export async function rebuildSwarm({ options, context }: RunFile): Promise<PreparedRun> {
  return planSwarm(options as SwarmRecord, decode(context) as ConsultContext) as PreparedRun;
}
