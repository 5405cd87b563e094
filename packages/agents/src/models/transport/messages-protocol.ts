import { z } from "zod";

// Anthropic's answers as the chunks and completions of the OpenAI protocol, so that both are read by the same code.

const usage = z.object({
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  cache_creation_input_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
});

const block = z.object({
  type: z.string(),
  text: z.string().nullish(),
  thinking: z.string().nullish(),
  name: z.string().nullish(),
});

const trouble = z.object({ type: z.string().nullish(), message: z.string().nullish() });

const message = z.object({
  type: z.string().nullish(),
  content: z.array(block).nullish(),
  stop_reason: z.string().nullish(),
  usage: usage.nullish(),
  error: trouble.nullish(),
});

const event = z.object({
  type: z.string(),
  message: message.nullish(),
  content_block: block.nullish(),
  delta: z
    .object({ text: z.string().nullish(), thinking: z.string().nullish(), stop_reason: z.string().nullish() })
    .nullish(),
  usage: usage.nullish(),
  error: trouble.nullish(),
});

/** A whole message as a completion. */
export function messageAsCompletion(body: unknown): unknown {
  const read = message.safeParse(body);
  if (!read.success) return body;
  const { content, stop_reason: stop, usage: counted, error } = read.data;
  if (error != null) return { error: troubleOf(error) };
  if (content == null) return {};
  const text = content.map((part) => part.text ?? "").join("");
  const thinking = content.map((part) => part.thinking ?? "").join("");
  const tool = content.find(({ type }) => type === "tool_use");
  const said = { content: text, reasoning: thinking, ...toolCall(tool?.name), ...refusalOf(stop) };
  return { choices: [{ message: said, finish_reason: finishOf(stop) }], usage: tokensOf(counted ?? {}, 0) };
}

/** The events of a streamed message, each as a chunk. Tokens of the prompt are counted at the beginning only. */
export class MessageEvents {
  #promptTokens = 0;

  asChunk(content: unknown): unknown {
    const read = event.safeParse(content);
    if (!read.success) return content;
    const { type, message: start, content_block: begun, delta, usage: counted, error } = read.data;
    switch (type) {
      case "message_start": {
        const tokens = tokensOf(start?.usage ?? {}, 0);
        this.#promptTokens = tokens.prompt_tokens;
        return { choices: [], usage: tokens };
      }
      case "content_block_start":
        return chunk({ content: begun?.text ?? "", ...(begun?.type === "tool_use" ? toolCall(begun.name) : {}) });
      case "content_block_delta":
        return chunk({ content: delta?.text ?? "", reasoning: delta?.thinking ?? "" });
      case "message_delta":
        return {
          choices: [{ delta: refusalOf(delta?.stop_reason), finish_reason: finishOf(delta?.stop_reason) }],
          usage: tokensOf(counted ?? {}, this.#promptTokens),
        };
      case "error":
        return { error: troubleOf(error ?? {}) };
      default:
        return { choices: [] };
    }
  }
}

function chunk(delta: object) {
  return { choices: [{ delta }] };
}

function toolCall(name: string | null | undefined): object {
  return name == null ? {} : { tool_calls: [{ function: { name } }] };
}

/** A refusal has no words of its own. */
function refusalOf(stop: string | null | undefined): object {
  return stop === "refusal" ? { refusal: "stop_reason is refusal" } : {};
}

function finishOf(stop: string | null | undefined): string | null {
  switch (stop) {
    case null:
    case undefined:
      return null;
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length";
    case "tool_use":
      return "tool_calls";
    default:
      return "stop";
  }
}

/** What was written to a cache or read from one is part of what was asked. */
function tokensOf(counted: z.infer<typeof usage>, promptTokens: number) {
  const { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens } = counted;
  const asked = (input_tokens ?? 0) + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0);
  return { prompt_tokens: Math.max(asked, promptTokens), completion_tokens: output_tokens ?? 0 };
}

/** Anthropic names the kind of an error; the status that goes with it says whether to try again. */
function troubleOf({ type, message: words }: z.infer<typeof trouble>) {
  const status: Readonly<Record<string, number>> = {
    overloaded_error: 529,
    api_error: 500,
    timeout_error: 504,
    rate_limit_error: 429,
    invalid_request_error: 400,
    authentication_error: 401,
    permission_error: 403,
    not_found_error: 404,
    billing_error: 402,
  };
  return { message: words ?? undefined, type: type ?? undefined, code: status[type ?? ""] };
}
