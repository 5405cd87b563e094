import { createHash } from "node:crypto";

export interface ModelMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

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

export interface ModelAnswer {
  readonly content: string;
  /** What the model thought aloud before; empty when the provider does not show it. */
  readonly reasoning: string;
  readonly usage?: TokenUsage;
  /** In US dollars, by the provider's own account or the prices in the models file; absent when neither is known. */
  readonly cost?: number;
  /** From the first attempt that was sent to the last byte of the answer. */
  readonly ms: number;
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
  /** The connection could not be made or broke off. */
  "ConnectionLost",
  /** What came is not an answer: not JSON, the wrong content type, no choices. */
  "BadAnswer",
  /** A well-formed answer without any text. */
  "EmptyAnswer",
  /** A command used as a model ended badly. */
  "CommandFailed",
  /** The recording has no answer to this request. */
  "NotRecorded",
] as const;
export type ModelTrouble = (typeof modelTroubles)[number];

/** A request without an answer. The message never holds a key. */
export class ModelError extends Error {
  override readonly name: ModelTrouble;
  /** HTTP status, where there was one. */
  readonly status: number | undefined;
  /** Response headers that a retry heeds (`retry-after`). */
  readonly headers: Readonly<Record<string, string>>;

  constructor(trouble: ModelTrouble, message: string, more: { status?: number; retryAfter?: string } = {}) {
    super(message);
    this.name = trouble;
    this.status = more.status;
    this.headers = more.retryAfter === undefined ? {} : { "retry-after": more.retryAfter };
  }
}

/** SHA-256 of a request, the same whatever order its fields were written in. */
export function requestHash(request: ModelRequest): string {
  const { model, messages, temperature, maxTokens, effort, json } = request;
  const parts = [
    model,
    messages.map(({ role, content }) => [role, content]),
    temperature ?? null,
    maxTokens ?? null,
    effort ?? null,
    json ?? false,
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
