import { type AskResult, AskSearch, askText, type Question } from "@coppice/agents/ask";
import type { Consultation, ConsultContext, ModelAnswer } from "@coppice/agents/models";
import { decode, type PreparedRun, type RunFile } from "@coppice/engine";
import { plannedConsultation } from "../consult/planned-consultation.ts";
import { successExit } from "../consult/success-exit.ts";

/** What `run.json` keeps of a question. */
export interface AskRecord {
  readonly question: Question;
  readonly minSuccess: number;
  readonly maxCost?: number;
}

/** A question as a run, the same for a start, a resume and a verification. */
export function planAsk(record: AskRecord, context: ConsultContext): PreparedRun<Consultation, ModelAnswer, AskResult> {
  const { question, minSuccess, maxCost } = record;
  return plannedConsultation({
    tool: "ask",
    record,
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
export async function rebuildAsk({ options, context }: RunFile): Promise<PreparedRun> {
  return planAsk(options as AskRecord, decode(context) as ConsultContext) as PreparedRun;
}
