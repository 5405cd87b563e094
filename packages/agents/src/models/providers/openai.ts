import type { ChatBody } from "../transport/chat-protocol.ts";
import { type ProviderKind, withReasoningEffort } from "./provider-kind.ts";

/**
 * OpenAI's own service. Its reasoning models refuse `max_tokens` and all its models take `max_completion_tokens`; effort is
 * `reasoning_effort`. An account without money says 429 with code `insufficient_quota`.
 */
export const openai: ProviderKind = {
  name: "openai",
  isAt: ({ hostname }) => hostname === "api.openai.com",
  usual: { baseUrl: "https://api.openai.com/v1", keyVariable: "OPENAI_API_KEY", model: "gpt-5.1" },
  publicPrices: true,
  path: "/chat/completions",
  body: openaiBody,
};

export function openaiBody({ max_tokens, ...usual }: ChatBody): object {
  const body = withReasoningEffort(usual);
  return max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens };
}
