import type { Failure, Outcome, Proposal, Search, SearchProgress } from "@coppice/engine";
import type { Consultation, ModelAnswer } from "../models/contract.ts";
import { consultationKey } from "../models/request-key.ts";
import { addUsage, sumCosts, usageOf } from "../models/totals.ts";
import { parseReply } from "../replies/parse-reply.ts";
import { askConsultation } from "./ask-prompt.ts";
import type { AskAnswer, AskResult } from "./ask-result.ts";
import { confidenceLevel, reaches } from "./confidence-level.ts";
import type { Question, Respondent } from "./question.ts";
import { summaryOf } from "./summary.ts";

interface Thread {
  readonly respondent: Respondent;
  readonly answers: ModelAnswer[];
  failure: Failure | undefined;
}

/** Asks all respondents of a question at once, each of them again until it is sure enough. */
export class AskSearch implements Search<Consultation, ModelAnswer, AskResult> {
  readonly #question: Question;
  readonly #threads: readonly Thread[];
  /** Threads whose next step is to be asked. */
  readonly #due: number[];
  /** Thread of each ask. */
  readonly #threadOf: number[] = [];
  /** Keys of asks without an outcome. */
  readonly #outstanding = new Map<number, string>();

  constructor(question: Question) {
    this.#question = question;
    this.#threads = question.respondents.map((respondent) => ({ respondent, answers: [], failure: undefined }));
    this.#due = [...this.#threads.keys()];
  }

  ask(): Proposal<Consultation> {
    const index = this.#due.shift();
    if (index === undefined) return this.#outstanding.size > 0 ? { kind: "wait" } : { kind: "done" };
    const candidate = this.#consultation(this.#threads[index]);
    const key = consultationKey(candidate, index);
    this.#outstanding.set(this.#threadOf.length, key);
    this.#threadOf.push(index);
    return { kind: "candidate", candidate, key };
  }

  tell(outcome: Outcome<ModelAnswer>, ask: number): void {
    this.#outstanding.delete(ask);
    const index = this.#threadOf[ask];
    const thread = this.#threads[index];
    if (!outcome.ok) {
      thread.failure = outcome.failure;
      return;
    }
    thread.answers.push(outcome.value);
    const { steps, targetConfidence } = this.#question;
    const sure = reaches(confidenceLevel(outcome.value.content), targetConfidence);
    if (thread.answers.length < steps && !sure) this.#due.push(index);
  }

  /** Asks that are still without an outcome, with their keys; for what came in after an interruption. */
  outstanding(): ReadonlyMap<number, string> {
    return new Map(this.#outstanding);
  }

  result(): AskResult {
    const results = this.#threads.map(answerOf);
    const models = [...new Set(this.#question.respondents.map(({ model }) => model))];
    return {
      query: this.#question.query,
      model: models.join(", "),
      results,
      summary: summaryOf(results),
    };
  }

  progress(): SearchProgress {
    const ended = this.#threads.filter(({ answers, failure }) => answers.length > 0 || failure !== undefined).length;
    return { levels: [{ name: "Answers", done: ended, total: this.#threads.length }] };
  }

  /** The first requests, exactly as they would be made. */
  firstRequests(): Consultation[] {
    return this.#threads.map((thread) => this.#consultation(thread));
  }

  #consultation({ respondent, answers }: Thread): Consultation {
    return askConsultation(
      this.#question,
      respondent,
      answers.map(({ content }) => content),
    );
  }
}

function answerOf({ respondent, answers, failure }: Thread): AskAnswer {
  const { name, title, model, opinion } = respondent;
  const last = answers.at(-1);
  const read = last !== undefined && opinion ? parseReply(last.content) : undefined;
  return {
    persona: name,
    title,
    model,
    ok: failure === undefined && last !== undefined,
    content: last?.content ?? "",
    reasoning: last?.reasoning ?? "",
    verdict: read?.verdict ?? null,
    confidence: read?.confidence ?? null,
    readFrom: read?.form ?? null,
    steps: answers.length,
    ms: answers.reduce((sum, { ms }) => sum + ms, 0),
    usage: addUsage(answers.map(usageOf)),
    cost: sumCosts(answers.map(({ cost }) => cost ?? null)),
    error: failure ?? (last === undefined ? { type: "NotAnswered", message: "there was no answer yet" } : null),
  };
}
