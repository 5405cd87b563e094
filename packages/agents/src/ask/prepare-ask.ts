import { UsageError } from "@coppice/engine/usage-error";
import type { ConsultSetup } from "../consult/consult-setup.ts";
import {
  type BatchRecord,
  batchRecord,
  enough,
  type PreparedBatch,
  prepareConsultation,
} from "../consult/prepare-consultation.ts";
import { withAttachments } from "../consult/text-input.ts";
import type { ConsultContext } from "../models/gateway.ts";
import { findPersonas } from "../personas/library.ts";
import { advisers, askPresets, presetPersonas, readPersonaList } from "../personas/presets.ts";
import { readSchema } from "./answer-schema.ts";
import { AskSearch } from "./ask-search.ts";
import { askStatistics, askText } from "./ask-text.ts";
import type { ConfidenceLevel } from "./confidence-level.ts";
import type { AskResult, Question, Respondent, Stance } from "./question.ts";

/** What `run.json` keeps of a question. */
export interface AskRecord extends BatchRecord {
  readonly question: Question;
}

/** A question as a run, the same for a start, a resume and a verification. */
export function prepareAsk(record: AskRecord, context: ConsultContext): PreparedBatch<AskResult> {
  const { question, minSuccess } = record;
  return prepareConsultation({
    tool: "ask",
    record,
    search: new AskSearch(question),
    context,
    models: question.respondents.map(({ model }) => model),
    describe: (result) => askText(result, process.stdout.isTTY ? process.stdout.columns : 0),
    remarks: askStatistics,
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
  /** Files that follow the question as data. */
  readonly attach?: readonly string[];
  /** A JSON Schema, or a file with one. */
  readonly schema?: string;
}

/** A question that was answered, to go on from. */
export interface EarlierAsk {
  readonly question: Question;
  readonly result: AskResult;
}

/** A question from what was chosen, everything checked; sends nothing. */
export async function composeAsk(
  choices: AskChoices,
  setup: ConsultSetup,
  readText: (what: string) => Promise<string>,
  earlier?: EarlierAsk,
): Promise<AskRecord> {
  const { stance, steps, targetConfidence, attach = [] } = choices;
  if (targetConfidence !== undefined && steps === 1) {
    throw new UsageError("--target-confidence needs --steps above 1: otherwise nobody is asked a second time");
  }
  if (choices.schema !== undefined && steps > 1) {
    throw new UsageError(
      "--schema does not go with --steps: an answer of a given shape does not say how confident it is",
    );
  }
  const schema = choices.schema === undefined ? undefined : readSchema(choices.schema);
  const respondents = earlier === undefined ? respondentsOf(choices, setup) : followedUp(earlier, setup);
  const query = await withAttachments(await readText("question"), attach);
  return {
    question: {
      query,
      respondents,
      stance,
      steps,
      targetConfidence: targetConfidence ?? "high",
      tuning: setup.tuning,
      ...(schema === undefined ? {} : { schema }),
    },
    ...batchRecord(choices),
  };
}

function respondentsOf(choices: AskChoices, { library, modelsFor }: ConsultSetup): Respondent[] {
  /** The respondent once per model; several are told apart by it. */
  const perModel = (persona: string | undefined, respondent: Omit<Respondent, "model">): Respondent[] => {
    const models = modelsFor(persona);
    return models.map(({ reference: model }) => {
      if (models.length === 1) return { ...respondent, model };
      const { name, title } = respondent;
      return title === ""
        ? { ...respondent, name: model, model }
        : { ...respondent, name: `${name} (${model})`, title: `${title} (${model})`, model };
    });
  };
  if (choices.customPrompt !== undefined) {
    const instructions = choices.customPrompt.trim();
    if (instructions === "") throw new UsageError("--custom-prompt is empty");
    return perModel(undefined, { name: "custom", title: "Custom", instructions, opinion: false });
  }
  const names = personasOf(choices, library);
  if (names === undefined) return perModel(undefined, { name: "model", title: "", opinion: false });
  return findPersonas(library, names).flatMap(({ name, title, instructions }) =>
    perModel(name, { name, title, instructions, opinion: true }),
  );
}

/** Those who answered before, each with what it was asked and said; another model goes on if one was typed. */
function followedUp({ question, result }: EarlierAsk, { typedModel }: ConsultSetup): Respondent[] {
  const respondents = question.respondents.flatMap((respondent, index): Respondent[] => {
    const answer = result.results[index];
    if (answer?.ok !== true) return [];
    const { earlier = [] } = respondent;
    return [
      {
        ...respondent,
        ...(typedModel === undefined ? {} : { model: typedModel().reference }),
        earlier: [
          ...earlier,
          { role: "user", content: question.query },
          { role: "assistant", content: answer.content },
        ],
      },
    ];
  });
  if (respondents.length === 0)
    throw new UsageError("--continue: nobody answered in that run, so there is nobody to ask again");
  return respondents;
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
