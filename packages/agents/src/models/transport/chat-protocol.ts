import { z } from "zod";
import type { ChosenModel } from "../choose-model.ts";
import { type ModelAnswer, ModelError, type ModelRequest, type TokenUsage } from "../consultation.ts";

/** The exact JSON body that an OpenAI-compatible provider is sent. */
export interface ChatBody {
  readonly model: string;
  readonly messages: readonly { readonly role: "system" | "user" | "assistant"; readonly content: string }[];
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly reasoning?: { readonly effort: "low" | "medium" | "high" };
  readonly response_format?: { readonly type: "json_object" };
  readonly usage?: { readonly include: true };
  readonly stream?: true;
  readonly stream_options?: { readonly include_usage: true };
}

export function chatBody(
  request: ModelRequest,
  { model, provider }: Pick<ChosenModel, "model" | "provider">,
): ChatBody {
  const { messages, temperature, maxTokens, effort, json } = request;
  const { stream = true, reportsCost = false } = "baseUrl" in provider ? provider : {};
  return {
    model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(effort === undefined ? {} : { reasoning: { effort } }),
    ...(json === true ? { response_format: { type: "json_object" } } : {}),
    ...(reportsCost ? { usage: { include: true } } : {}),
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  };
}

const usage = z.object({
  prompt_tokens: z.number().nonnegative(),
  completion_tokens: z.number().nonnegative(),
  /** Some providers say what the answer cost, in US dollars. */
  cost: z.number().nonnegative().optional(),
});

const said = {
  content: z.string().nullish(),
  /** Providers disagree on the name of what a model thinks aloud. */
  reasoning: z.string().nullish(),
  reasoning_content: z.string().nullish(),
};

const whole = z.object({
  choices: z.array(z.object({ message: z.object(said) })),
  usage: usage.nullish().catch(undefined),
});

const chunk = z.object({
  choices: z.array(z.object({ delta: z.object(said).nullish(), finish_reason: z.string().nullish() })).default([]),
  usage: usage.nullish().catch(undefined),
});

type Said = Omit<ModelAnswer, "ms">;

/** Reads an answer that came as one JSON object. */
export function wholeAnswer(content: unknown): Said {
  const checked = whole.safeParse(content);
  if (!checked.success) throw new ModelError("BadAnswer", "the answer has no choices");
  const [choice] = checked.data.choices;
  if (choice === undefined) throw new ModelError("BadAnswer", "the answer has no choices");
  return finished(choice.message.content ?? "", thoughts(choice.message), checked.data.usage ?? undefined);
}

/** Collects an answer that comes in chunks. */
export class StreamedAnswer {
  #content = "";
  #reasoning = "";
  #usage: z.infer<typeof usage> | undefined;
  #complete = false;

  /** Characters so far, thoughts included. */
  get characters(): number {
    return this.#content.length + this.#reasoning.length;
  }

  add(content: unknown): void {
    const checked = chunk.safeParse(content);
    if (!checked.success)
      throw new ModelError("BadAnswer", "a part of the streamed answer does not have the expected shape");
    this.#usage = checked.data.usage ?? this.#usage;
    const [choice] = checked.data.choices;
    if (choice === undefined) return;
    this.#content += choice.delta?.content ?? "";
    if (choice.delta != null) this.#reasoning += thoughts(choice.delta);
    if (choice.finish_reason != null) this.#complete = true;
  }

  answer(): Said {
    if (!this.#complete) throw new ModelError("ConnectionLost", "the stream ended before the answer did");
    return finished(this.#content, this.#reasoning, this.#usage);
  }
}

function thoughts(message: { reasoning?: string | null | undefined; reasoning_content?: string | null | undefined }) {
  return message.reasoning ?? message.reasoning_content ?? "";
}

function finished(content: string, reasoning: string, counted: z.infer<typeof usage> | undefined): Said {
  if (content.trim() === "") throw new ModelError("EmptyAnswer", "the model returned nothing");
  if (counted === undefined) return { content, reasoning };
  const tokens: TokenUsage = { promptTokens: counted.prompt_tokens, answerTokens: counted.completion_tokens };
  return { content, reasoning, usage: tokens, ...(counted.cost === undefined ? {} : { cost: counted.cost }) };
}
