import { type AskResult, AskSearch, askText, type Question } from "@coppice/agents/ask";
import type { Consultation, ConsultContext, ModelAnswer } from "@coppice/agents/models";
import { decode, type RunFile } from "@coppice/engine";
import { plannedConsultation } from "../consult/planned-consultation.ts";
import { successExit } from "../consult/success-exit.ts";
import type { PlannedRun } from "../tools/planned-run.ts";

/** What `run.json` keeps of a question. */
export interface AskRecord {
  readonly question: Question;
  readonly minSuccess: number;
  readonly maxCost?: number;
}

/** A question as a run, the same for a start, a resume and a verification. */
export function planAsk(
  { question, minSuccess, maxCost }: AskRecord,
  context: ConsultContext,
): PlannedRun<Consultation, ModelAnswer, AskResult> {
  return plannedConsultation({
    search: new AskSearch(question),
    context,
    models: question.respondents.map(({ model }) => model),
    maxCost,
    describe: askText,
    document: (result) => ({ ...result }),
    exitCode: ({ summary }) => successExit(summary, minSuccess),
  });
}

/** Prepares a recorded question again, with the models it was asked with. */
export async function rebuildAsk({ options, context }: RunFile): Promise<PlannedRun> {
  return planAsk(options as AskRecord, decode(context) as ConsultContext) as PlannedRun;
}
