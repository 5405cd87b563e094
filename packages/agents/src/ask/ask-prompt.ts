import { dataBlock, dataRule } from "../consult/data-block.ts";
import type { Consultation, ModelMessage } from "../models/consultation.ts";
import { REPLY_FORM } from "../replies/reply.ts";
import { schemaForm } from "./answer-schema.ts";
import { confidenceLevel, confidenceLevels } from "./confidence-level.ts";
import type { Question, Respondent, Stance } from "./question.ts";

const stanceTexts: Readonly<Record<Stance, string | undefined>> = {
  for: "Take the side of the proposal: make the strongest honest case for it, and do not spend space on the other side. If it is broken beyond repair, say so all the same.",
  against:
    "Take the side against the proposal: make the strongest honest case against it, and do not spend space on the other side. If it is sound beyond doubt, say so all the same.",
  neutral: undefined,
};

/** The request of one respondent's next step, given its answers so far. */
export function askConsultation(
  question: Question,
  respondent: Respondent,
  answers: readonly string[],
  /** What is wrong with the last answer, where it must have a shape. */
  wrong?: string,
): Consultation {
  const { query, stance, steps, tuning, schema } = question;
  const { name, model, instructions, opinion, earlier = [] } = respondent;
  const system = [
    stanceTexts[stance],
    instructions,
    ...(schema !== undefined
      ? [schemaForm(schema)]
      : opinion
        ? [dataRule, REPLY_FORM]
        : steps > 1
          ? [confidenceForm]
          : []),
  ].filter((part) => part !== undefined);
  const asked = opinion ? `Judge this proposal:\n\n${dataBlock("proposal", query)}` : query;
  const messages: ModelMessage[] = [
    ...(system.length === 0 ? [] : [{ role: "system", content: system.join("\n\n") } as const]),
    ...earlier,
    { role: "user", content: asked },
    ...answers.flatMap((answer, index): ModelMessage[] => [
      { role: "assistant", content: answer },
      { role: "user", content: wrong === undefined ? nextStep(question, answer, index + 2) : repair(wrong) },
    ]),
  ];
  return {
    label: answers.length === 0 ? name : `${name} (${wrong === undefined ? `step ${answers.length + 1}` : "repair"})`,
    request: { model, messages, ...tuning, ...(schema === undefined ? {} : { schema }) },
  };
}

function repair(wrong: string): string {
  return `That is not valid against the schema: ${wrong}. Give the whole answer again, as JSON alone.`;
}

const confidenceForm = `End your answer with a line of its own:\nCONFIDENCE: ${confidenceLevels.join(" | ")}`;

function nextStep({ steps, targetConfidence }: Question, answer: string, step: number): string {
  return [
    `Step ${step} of at most ${steps}. Your confidence was ${confidenceLevel(answer)}; the aim is ${targetConfidence}.`,
    "Go over your answer as a stranger would. What did you assume without a reason? What did you not look at? What would someone who disagrees point out first?",
    "Work on the weakest point, then give the whole answer again in the same form. Raise your confidence only if something has been settled.",
  ].join("\n");
}
