import { AskSearch, type ConfidenceLevel, type Question, type Respondent, type Stance } from "@coppice/agents/ask";
import { advisers, askPresets, findPersonas, presetPersonas, readPersonaList } from "@coppice/agents/personas";
import { UsageError } from "@coppice/engine";
import { printRequests } from "../consult/dry-run.ts";
import type { BatchFlags } from "../consult/options.ts";
import { runConsultation } from "../consult/run-consultation.ts";
import { type ConsultSetup, consultSetup } from "../consult/setup.ts";
import { textInput } from "../consult/text-input.ts";
import { type AskRecord, planAsk } from "./plan-ask.ts";
import { printPersonas } from "./print-personas.ts";

export interface AskFlags extends BatchFlags {
  readonly batch?: string;
  readonly preset?: string;
  readonly all?: boolean;
  readonly customPrompt?: string;
  readonly stance: Stance;
  readonly steps: number;
  readonly targetConfidence?: ConfidenceLevel;
  readonly list?: boolean;
}

/** `coppice ask`: everything is checked before the first request. */
export async function ask(typed: string | undefined, flags: AskFlags): Promise<void> {
  const setup = consultSetup(flags);
  if (flags.list === true) {
    printPersonas(setup.library, flags.json ?? false);
    return;
  }
  if (flags.targetConfidence !== undefined && flags.steps === 1) {
    throw new UsageError("--target-confidence needs --steps above 1: otherwise nobody is asked a second time");
  }
  const respondents = respondentsOf(flags, setup);
  const question: Question = {
    query: await textInput(typed, "question"),
    respondents,
    stance: flags.stance,
    steps: flags.steps,
    targetConfidence: flags.targetConfidence ?? "high",
    tuning: setup.tuning,
  };
  if (flags.dryRun === true) {
    printRequests(new AskSearch(question).firstRequests(), setup.models, flags.json ?? false);
    return;
  }
  const { minSuccess, maxCost } = flags;
  const record: AskRecord = { question, minSuccess, ...(maxCost === undefined ? {} : { maxCost }) };
  await runConsultation(planAsk(record, setup.context), flags, respondents.length);
}

function respondentsOf(flags: AskFlags, { library, modelFor }: ConsultSetup): Respondent[] {
  const { batch, preset, all, customPrompt } = flags;
  if (customPrompt !== undefined) {
    if (customPrompt.trim() === "") throw new UsageError("--custom-prompt is empty");
    const { reference } = modelFor();
    return [{ name: "custom", title: "Custom", model: reference, instructions: customPrompt.trim(), opinion: false }];
  }
  const names =
    batch !== undefined
      ? readPersonaList(batch, askPresets, library)
      : preset !== undefined
        ? presetPersonas(askPresets, preset, library)
        : all === true
          ? advisers(library)
          : undefined;
  if (names === undefined) return [{ name: "model", title: "", model: modelFor().reference, opinion: false }];
  return findPersonas(library, names).map(({ name, title, instructions }) => ({
    name,
    title,
    model: modelFor(name).reference,
    instructions,
    opinion: true,
  }));
}
