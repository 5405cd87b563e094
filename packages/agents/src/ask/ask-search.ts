import type { Failure, Outcome, SearchProgress } from "@coppice/engine";
import { ConsultationSearch, saidIn } from "../consult/consultation-search.ts";
import type { JsonSchema, ModelAnswer } from "../models/consultation.ts";
import { summaryOf } from "../models/money/totals.ts";
import { parseReply } from "../replies/parse-reply.ts";
import { shapedAnswer } from "./answer-schema.ts";
import { askConsultation } from "./ask-prompt.ts";
import { confidenceLevel, reaches } from "./confidence-level.ts";
import type { AskAnswer, AskResult, Question, Respondent } from "./question.ts";

interface Thread {
  readonly respondent: Respondent;
  readonly answers: ModelAnswer[];
  failure: Failure | undefined;
}

/** Asks all respondents of a question at once, each of them again until it is sure enough. */
export class AskSearch extends ConsultationSearch<AskResult> {
  readonly #question: Question;
  readonly #threads: readonly Thread[];

  constructor(question: Question) {
    super();
    this.#question = question;
    this.#threads = question.respondents.map((respondent) => ({ respondent, answers: [], failure: undefined }));
    for (const index of this.#threads.keys()) this.#askNext(index);
  }

  #askNext(index: number, wrong?: string): void {
    const { respondent, answers } = this.#threads[index];
    const said = answers.map(({ content }) => content);
    const consultation = askConsultation(this.#question, respondent, said, wrong);
    this.consult(consultation, index, (outcome) => this.#hear(index, outcome));
  }

  #hear(index: number, outcome: Outcome<ModelAnswer>): void {
    const thread = this.#threads[index];
    if (!outcome.ok) {
      thread.failure = outcome.failure;
      return;
    }
    thread.answers.push(outcome.value);
    const { steps, targetConfidence, schema } = this.#question;
    if (schema !== undefined) {
      this.#check(index, outcome.value.content, schema);
      return;
    }
    const sure = reaches(confidenceLevel(outcome.value.content), targetConfidence);
    if (thread.answers.length < steps && !sure) this.#askNext(index);
  }

  /** An answer must have its shape; one that has not is repaired once. */
  #check(index: number, content: string, schema: JsonSchema): void {
    const thread = this.#threads[index];
    const shaped = shapedAnswer(content, schema);
    if ("value" in shaped) return;
    if (thread.answers.length === 1) this.#askNext(index, shaped.wrong);
    else thread.failure = { type: "WrongShape", message: `still not valid against the schema: ${shaped.wrong}` };
  }

  result(): AskResult {
    const results = this.#threads.map((thread) => answerOf(thread, this.#question.schema));
    const models = [...new Set(this.#question.respondents.map(({ model }) => model))];
    return { query: this.#question.query, model: models.join(", "), results, summary: summaryOf(results) };
  }

  progress(): SearchProgress {
    const ended = this.#threads.filter(({ answers, failure }) => answers.length > 0 || failure !== undefined).length;
    return { levels: [{ name: "Answers", done: ended, total: this.#threads.length }] };
  }
}

function answerOf({ respondent, answers, failure }: Thread, schema: JsonSchema | undefined): AskAnswer {
  const { name, title, model, opinion } = respondent;
  const { ok, content, reasoning, ...rest } = saidIn(answers, failure);
  const read = answers.length > 0 && opinion && schema === undefined ? parseReply(content) : undefined;
  return {
    persona: name,
    title,
    model,
    ok,
    content,
    reasoning,
    verdict: read?.verdict ?? null,
    confidence: read?.confidence ?? null,
    readFrom: read?.form ?? null,
    steps: answers.length,
    ...rest,
    ...(schema === undefined || !ok ? {} : shapedAnswer(content, schema)),
  };
}
