import { z } from "zod";
import type { ChosenModel } from "../choose-model.ts";
import {
  type JsonSchema,
  type ModelAnswer,
  ModelError,
  type ModelRequest,
  type ModelTrouble,
} from "../consultation.ts";
import { kindOf } from "../providers/kinds.ts";
import { oneLine, refusal } from "./refusal.ts";

/** The JSON body that an OpenAI-compatible provider is sent, before its own wishes. */
export interface ChatBody {
  readonly model: string;
  readonly messages: readonly { readonly role: "system" | "user" | "assistant"; readonly content: string }[];
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly reasoning?: { readonly effort: "low" | "medium" | "high" };
  readonly response_format?:
    | { readonly type: "json_object" }
    | { readonly type: "json_schema"; readonly json_schema: { readonly name: string; readonly schema: JsonSchema } };
  readonly usage?: { readonly include: true };
  readonly stream?: true;
  readonly stream_options?: { readonly include_usage: true };
}

/** What a provider is sent, as its kind wants it. */
export function requestBody(
  request: ModelRequest,
  { model, provider }: Pick<ChosenModel, "model" | "provider">,
): object {
  const { messages, temperature, maxTokens, effort, json, schema } = request;
  const { stream = true, reportsCost = false } = "baseUrl" in provider ? provider : {};
  const body: ChatBody = {
    model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(effort === undefined ? {} : { reasoning: { effort } }),
    ...(schema !== undefined
      ? { response_format: { type: "json_schema", json_schema: { name: "answer", schema } } }
      : json === true
        ? { response_format: { type: "json_object" } }
        : {}),
    ...(reportsCost ? { usage: { include: true } } : {}),
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  };
  return ("baseUrl" in provider ? kindOf(provider).body?.(body, request) : undefined) ?? body;
}

const usage = z.object({
  prompt_tokens: z.number().nonnegative(),
  completion_tokens: z.number().nonnegative(),
  /** Some providers say what the answer cost, in US dollars. */
  cost: z.number().nonnegative().nullish(),
});

/** Providers disagree on how much of this they say. */
const trouble = z.union([
  z.string().transform((message) => ({ message, code: undefined, type: undefined })),
  z.object({
    message: z.string().optional().catch(undefined),
    code: z.union([z.string(), z.number()]).nullish().catch(undefined),
    type: z.string().nullish().catch(undefined),
  }),
]);

/** Some send a text in parts; what is no text in it is left out. */
const text = z.union([
  z.string(),
  z
    .array(z.object({ text: z.string().optional().catch(undefined) }))
    .transform((parts) => parts.map(({ text: part = "" }) => part).join("")),
]);

const said = {
  content: text.nullish(),
  /** Providers disagree on the name of what a model thinks aloud. */
  reasoning: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(z.object({ function: z.object({ name: z.string().nullish() }).nullish() })).nullish(),
};

const choice = z.object({
  message: z.object(said).nullish(),
  delta: z.object(said).nullish(),
  finish_reason: z.string().nullish(),
  error: trouble.nullish(),
});

const completion = z.object({
  choices: z.array(choice).nullish(),
  usage: usage.nullish().catch(undefined),
  error: trouble.nullish(),
});

export type ProviderAnswer = Omit<ModelAnswer, "ms" | "estimated">;

/** Puts an answer together from its one part or its many chunks. */
export class ChatAnswer {
  #content = "";
  #reasoning = "";
  #refusal = "";
  #tool: string | undefined;
  #usage: z.infer<typeof usage> | undefined;
  #ending: string | undefined;

  /** Text so far, without thoughts. */
  get content(): string {
    return this.#content;
  }

  /** Characters so far, thoughts included. */
  get characters(): number {
    return this.#content.length + this.#reasoning.length;
  }

  /** Takes a part; says whether it held a choice. */
  add(content: unknown): boolean {
    const checked = completion.safeParse(content);
    if (!checked.success)
      throw new ModelError("BadAnswer", "the answer does not have the expected shape", { counted: {} });
    const { choices, usage: counted, error } = checked.data;
    this.#usage = counted ?? this.#usage;
    const first = choices?.[0];
    const wrong = error ?? first?.error;
    if (wrong != null) throw this.#failed(wrong);
    if (first === undefined) return false;
    const part = first.message ?? first.delta;
    this.#content += part?.content ?? "";
    this.#reasoning += part?.reasoning ?? part?.reasoning_content ?? "";
    this.#refusal += part?.refusal ?? "";
    this.#tool ??= part?.tool_calls?.[0]?.function?.name ?? undefined;
    this.#ending = first.finish_reason ?? this.#ending;
    return true;
  }

  /** The answer of a stream that has ended. */
  streamed(): ProviderAnswer {
    if (this.#ending === undefined) throw this.#lost();
    return this.finished();
  }

  /** The answer, or what there is instead of one, in the provider's own words where it has any. */
  finished(): ProviderAnswer {
    const [content, ending] = [this.#content, this.#ending];
    const problem = (name: ModelTrouble, message: string) =>
      new ModelError(name, message, { counted: this.#counted() });
    if (content.trim() === "") {
      if (this.#refusal !== "") throw problem("Refused", `the model refused: ${oneLine(this.#refusal)}`);
      if (ending === "content_filter") throw problem("Filtered", "the provider's content filter took the answer away");
      if (this.#tool !== undefined || ending === "tool_calls" || ending === "function_call")
        throw problem(
          "ToolCall",
          `the model asked for a tool${this.#tool === undefined ? "" : ` (${this.#tool})`} instead of answering`,
        );
      throw problem("EmptyAnswer", this.#emptiness());
    }
    const unfinished = ending === "length" ? "cut" : ending === "content_filter" ? "filtered" : undefined;
    return {
      content,
      reasoning: this.#reasoning,
      ...(unfinished === undefined ? {} : { unfinished }),
      ...this.#counted(),
    };
  }

  #emptiness(): string {
    const why = this.#ending === "length" ? " before it came to its limit of tokens: raise --max-tokens" : "";
    if (this.#reasoning.trim() !== "")
      return `the model thought (${this.#reasoning.length} characters) and said nothing${why}`;
    return why === "" ? "the model returned nothing" : `the model said nothing${why}`;
  }

  /** An error in the middle of what began as a success. */
  #failed({ message = "an error without a message", code, type }: z.infer<typeof trouble>): ModelError {
    const status = typeof code === "number" ? code : Number(/^\d{3}$/.exec(code ?? "")?.[0] ?? Number.NaN);
    return refusal(oneLine(message), {
      ...(Number.isNaN(status) ? {} : { status }),
      codes: [code, type].filter((each) => typeof each === "string"),
      ...(this.#usage === undefined ? {} : { counted: this.#counted() }),
    });
  }

  #lost(): ModelError {
    const facts = this.#usage === undefined ? {} : { counted: this.#counted() };
    return new ModelError("ConnectionLost", "the stream ended before the answer did", facts);
  }

  #counted(): Pick<ModelAnswer, "usage" | "cost"> {
    if (this.#usage === undefined) return {};
    const { prompt_tokens: promptTokens, completion_tokens: answerTokens, cost } = this.#usage;
    return { usage: { promptTokens, answerTokens }, ...(cost == null ? {} : { cost }) };
  }
}
