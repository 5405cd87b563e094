import type { ConsultContext } from "@coppice/agents/models";
import { decode, type RunFile } from "@coppice/engine";
import type { PlannedRun } from "../tools/planned-run.ts";
import { type AskRecord, planAsk } from "./plan-ask.ts";

/** Prepares a recorded question again, with the models it was asked with. */
export async function rebuildAsk({ options, context }: RunFile): Promise<PlannedRun> {
  return planAsk(options as AskRecord, decode(context) as ConsultContext) as PlannedRun;
}
