import { createHash } from "node:crypto";
import { Aside } from "@coppice/engine/values";

export interface ModelMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** A JSON Schema, as its file has it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Exactly what a model is asked; everything that shapes the answer is in here, and nothing else is. */
export interface ModelRequest {
  /** A name from the models file, or `provider/model`. */
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  readonly temperature?: number;
  /** The longest answer, in tokens. */
  readonly maxTokens?: number;
  /** How hard the model should think; sent as `reasoning: { effort }`. */
  readonly effort?: "low" | "medium" | "high";
  /** Asks the provider for a JSON object; the prompt must say which. */
  readonly json?: boolean;
  /** Asks the provider for JSON of this shape. */
  readonly schema?: JsonSchema;
}

/** Fields of a request that the user may set, the same for every request of a run. */
export type Tuning = Pick<ModelRequest, "temperature" | "maxTokens" | "effort">;

/** A request with the name people know it by: what a search proposes and the evaluator of this package answers. */
export interface Consultation {
  /** `judge`, `src/a.ts`, `round 2: critic`: travels with the request, is never sent. */
  readonly label: string;
  readonly request: ModelRequest;
}

export type RequestBase = Omit<ModelRequest, "messages">;

/** One question, behind instructions if there are any. */
export function oneQuestion(
  label: string,
  base: RequestBase,
  instructions: string | undefined,
  question: string,
): Consultation {
  const messages: ModelMessage[] = [
    ...(instructions === undefined ? [] : [{ role: "system", content: instructions } as const]),
    { role: "user", content: question },
  ];
  return { label, request: { ...base, messages } };
}

/** Tokens as the provider counted them; absent when it did not say. */
export interface TokenUsage {
  readonly promptTokens: number;
  readonly answerTokens: number;
}

/** What an answer took; no part of what was said. */
export interface Receipt {
  readonly usage?: TokenUsage;
  /**
   * In US dollars, by the provider's own account or a price; absent when neither is known. Attempts that failed before
   * the answer came are in it.
   */
  readonly cost?: number;
  /** The provider did not count all of it: some is estimated from lengths. */
  readonly estimated?: true;
  /** From the first attempt that was sent to the last byte of the answer. */
  readonly ms: number;
}

/** How an answer ended that is not whole. */
export const unfinished = [
  /** At the limit of its length. */
  "cut",
  /** The provider took the rest away. */
  "filtered",
  /** A command printed more than is read. */
  "overflown",
] as const;
export type Unfinished = (typeof unfinished)[number];

export interface ModelAnswer extends Receipt {
  readonly content: string;
  /** What the model thought aloud before; empty when the provider does not show it. */
  readonly reasoning: string;
  /** Absent when the answer is whole. */
  readonly unfinished?: Unfinished;
}

/** An answer as it is written down: two runs with the same answers have the same digest, whatever they took. */
export interface WrittenAnswer extends Omit<ModelAnswer, keyof Receipt> {
  readonly receipt: Aside<Receipt>;
}

export function written({ content, reasoning, unfinished, ...receipt }: ModelAnswer): WrittenAnswer {
  return {
    content,
    reasoning,
    ...(unfinished === undefined ? {} : { unfinished }),
    receipt: new Aside(receipt),
  };
}

/** An answer as it was written down, also by versions that kept everything beside the text. */
export function readBack(answer: WrittenAnswer | ModelAnswer): ModelAnswer {
  if (!("receipt" in answer)) return answer;
  const { receipt, ...said } = answer;
  return { ...said, ...receipt.facts };
}

/** Why there is no answer; also the `type` of the failure a search is told. */
export const modelTroubles = [
  /** The provider's key variable is not set: nothing was sent. */
  "NoKey",
  /** No answer within the time limit. */
  "ModelTimeout",
  /** The provider refused (4xx) or failed (5xx), retries included. */
  "HttpError",
  /** Still told to slow down (429) after every retry. */
  "RateLimited",
  /** The account has no money or quota left: waiting does not help. */
  "QuotaExhausted",
  /** The connection could not be made or broke off. */
  "ConnectionLost",
  /** What came is not an answer: not JSON, the wrong content type, no choices. */
  "BadAnswer",
  /** A well-formed answer without any text. */
  "EmptyAnswer",
  /** The model declined to answer. */
  "Refused",
  /** The provider took the answer away. */
  "Filtered",
  /** The model asked for a tool instead of answering. */
  "ToolCall",
  /** A command used as a model ended badly. */
  "CommandFailed",
  /** The recording has no answer to this request. */
  "NotRecorded",
  /** The request did not fit into what may be spent: nothing was sent. */
  "OverBudget",
] as const;
export type ModelTrouble = (typeof modelTroubles)[number];

/** What a provider said and counted although there is no answer. */
interface TroubleFacts {
  readonly status?: number;
  /** Headers that say how long to wait. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What was counted of an answer that is of no use; `{}` if it was answered but nothing was counted. */
  readonly counted?: Pick<Receipt, "usage" | "cost">;
}

/** A request without an answer. The message never holds a key. */
export class ModelError extends Error {
  override readonly name: ModelTrouble;
  /** HTTP status, where there was one. */
  readonly status: number | undefined;
  /** Response headers that a retry heeds. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined when nothing was answered, so that nothing is to be paid. */
  readonly counted: TroubleFacts["counted"];
  /** What it cost all the same, attempts before it included; written into the journal. */
  data: Omit<Receipt, "ms"> | undefined;

  constructor(trouble: ModelTrouble, message: string, { status, headers = {}, counted }: TroubleFacts = {}) {
    super(message);
    this.name = trouble;
    this.status = status;
    this.headers = headers;
    this.counted = counted;
  }
}

/** SHA-256 of a request, the same whatever order its fields were written in. */
export function requestHash(request: ModelRequest): string {
  const { model, messages, temperature, maxTokens, effort, json, schema } = request;
  const parts = [
    model,
    messages.map(({ role, content }) => [role, content]),
    temperature ?? null,
    maxTokens ?? null,
    effort ?? null,
    json ?? false,
    // At the end, and only then: requests without one have the hash they always had.
    ...(schema === undefined ? [] : [schema]),
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/**
 * The key of a consultation in its run: the same request in the same place is never paid for twice. `position` tells
 * apart requests that are meant to be asked several times (the third of ten identical prompts).
 */
export function consultationKey({ label, request }: Consultation, position: number | string): string {
  const hash = createHash("sha256")
    .update(`${position}\n${requestHash(request)}`)
    .digest("hex");
  return `${label} ${hash.slice(0, 16)}`;
}
