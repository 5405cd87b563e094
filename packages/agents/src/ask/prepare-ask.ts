import type { PreparedRun } from "@coppice/engine/session";
import { UsageError } from "@coppice/engine/usage-error";
import type { ConsultSetup } from "../consult/consult-setup.ts";
import { type BatchRecord, batchRecord, enough, prepareConsultation } from "../consult/prepare-consultation.ts";
import type { Consultation, ModelAnswer, WrittenAnswer } from "../models/consultation.ts";
import type { ConsultContext } from "../models/gateway.ts";
import { findPersonas } from "../personas/library.ts";
import { advisers, askPresets, presetPersonas, readPersonaList } from "../personas/presets.ts";
import { AskSearch } from "./ask-search.ts";
import { askText } from "./ask-text.ts";
import type { ConfidenceLevel } from "./confidence-level.ts";
import type { AskResult, Question, Respondent, Stance } from "./question.ts";

/** What `run.json` keeps of a question. */
export interface AskRecord extends BatchRecord {
  readonly question: Question;
}

/** A question as a run, the same for a start, a resume and a verification. */
export function prepareAsk(
  record: AskRecord,
  context: ConsultContext,
): PreparedRun<Consultation, WrittenAnswer | ModelAnswer, AskResult> {
  const { question, minSuccess } = record;
  return prepareConsultation({
    tool: "ask",
    record,
    search: new AskSearch(question),
    context,
    models: question.respondents.map(({ model }) => model),
    describe: (result, _directory, charges) => askText(result, charges),
    document: (result) => ({ ...result }),
    succeeded: ({ summary }) => enough(summary, minSuccess),
  });
}

/** What a question can be told, besides what it is; named like the options of its command. */
export interface AskChoices extends BatchRecord {
  readonly batch?: string;
  readonly preset?: string;
  readonly all?: boolean;
  readonly customPrompt?: string;
  readonly stance: Stance;
  readonly steps: number;
  readonly targetConfidence?: ConfidenceLevel;
}

/** A question from what was chosen, everything checked; sends nothing. */
export async function composeAsk(
  choices: AskChoices,
  setup: ConsultSetup,
  readText: (what: string) => Promise<string>,
): Promise<AskRecord> {
  const { stance, steps, targetConfidence } = choices;
  if (targetConfidence !== undefined && steps === 1) {
    throw new UsageError("--target-confidence needs --steps above 1: otherwise nobody is asked a second time");
  }
  const respondents = respondentsOf(choices, setup);
  const query = await readText("question");
  const { tuning } = setup;
  return {
    question: { query, respondents, stance, steps, targetConfidence: targetConfidence ?? "high", tuning },
    ...batchRecord(choices),
  };
}

function respondentsOf(choices: AskChoices, { library, modelFor }: ConsultSetup): Respondent[] {
  if (choices.customPrompt !== undefined) {
    const instructions = choices.customPrompt.trim();
    if (instructions === "") throw new UsageError("--custom-prompt is empty");
    return [{ name: "custom", title: "Custom", model: modelFor().reference, instructions, opinion: false }];
  }
  const names = personasOf(choices, library);
  if (names === undefined) return [{ name: "model", title: "", model: modelFor().reference, opinion: false }];
  return findPersonas(library, names).map(({ name, title, instructions }) => ({
    name,
    title,
    model: modelFor(name).reference,
    instructions,
    opinion: true,
  }));
}

/** Who was asked for by name; undefined for the model as it is. */
function personasOf(
  { batch, preset, all }: AskChoices,
  library: ConsultSetup["library"],
): readonly string[] | undefined {
  if (batch !== undefined) return readPersonaList(batch, askPresets, library);
  if (preset !== undefined) return presetPersonas(askPresets, preset, library);
  return all === true ? advisers(library) : undefined;
}
