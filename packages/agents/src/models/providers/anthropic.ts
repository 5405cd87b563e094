import type { JsonSchema, ModelRequest } from "../consultation.ts";
import type { ChatBody } from "../transport/chat-protocol.ts";
import type { ProviderKind } from "./provider-kind.ts";

/** The longest answer when nobody said: the interface wants a number. */
const USUAL_LONGEST = 16_000;

/**
 * Anthropic's own interface, because its OpenAI-compatible address ignores effort and schemas and shows no thoughts. The
 * system prompt stands apart, `max_tokens` is required, effort and schema are `output_config`. The end of an answer is a
 * `stop_reason`; an overloaded service says 529, and `overloaded_error` inside a stream.
 */
export const anthropic: ProviderKind = {
  name: "anthropic",
  isAt: ({ hostname }) => hostname === "api.anthropic.com",
  usual: { baseUrl: "https://api.anthropic.com/v1", keyVariable: "ANTHROPIC_API_KEY", model: "claude-sonnet-5" },
  publicPrices: true,
  path: "/messages",
  keyHeader: "x-api-key",
  headers: { "anthropic-version": "2023-06-01" },
  body: ({ model, stream }: ChatBody, request: ModelRequest) => {
    const { messages, temperature, maxTokens, effort, schema } = request;
    const system = messages.filter(({ role }) => role === "system").map(({ content }) => content);
    const config = {
      ...(effort === undefined ? {} : { effort }),
      ...(schema === undefined ? {} : { format: formatOf(schema) }),
    };
    return {
      model,
      max_tokens: maxTokens ?? USUAL_LONGEST,
      ...(system.length === 0 ? {} : { system: system.join("\n\n") }),
      messages: messages.filter(({ role }) => role !== "system").map(({ role, content }) => ({ role, content })),
      ...(temperature === undefined ? {} : { temperature }),
      ...(Object.keys(config).length === 0 ? {} : { output_config: config }),
      ...(stream === true ? { stream: true } : {}),
    };
  },
};

function formatOf(schema: JsonSchema) {
  return { type: "json_schema", schema };
}
