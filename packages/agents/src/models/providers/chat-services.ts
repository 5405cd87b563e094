import type { ChatBody } from "../transport/chat-protocol.ts";
import { type ProviderKind, withReasoningEffort } from "./provider-kind.ts";

// Services that speak the OpenAI protocol, each with words of its own.

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

function openaiBody({ max_tokens, ...usual }: ChatBody): object {
  const body = withReasoningEffort(usual);
  return max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens };
}

/**
 * OpenAI's models at Azure. The key travels as `api-key`; the model is the name of a deployment. The address is
 * `https://NAME.openai.azure.com/openai/v1`, or that of a deployment with `query: { api-version: … }`. A prompt that its
 * filter refuses is a 400 with code `content_filter`; the first event of a stream has no choices, only filter results.
 */
export const azure: ProviderKind = {
  name: "azure",
  isAt: ({ hostname }) => hostname.endsWith(".openai.azure.com") || hostname.endsWith(".services.ai.azure.com"),
  publicPrices: false,
  path: "/chat/completions",
  keyHeader: "api-key",
  body: openaiBody,
};

/**
 * Google's Gemini at its OpenAI-compatible address. Effort is `reasoning_effort`. A refusal is a list of one error, whose
 * `status` (`RESOURCE_EXHAUSTED`) is what others call `type`.
 */
export const google: ProviderKind = {
  name: "google",
  isAt: ({ hostname }) => hostname === "generativelanguage.googleapis.com",
  usual: {
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    keyVariable: "GEMINI_API_KEY",
    model: "gemini-2.5-flash",
  },
  publicPrices: true,
  path: "/chat/completions",
  body: withReasoningEffort,
  refusal: (body) => (Array.isArray(body) ? body[0] : body),
};

/**
 * OpenRouter. Effort is `reasoning: { effort }`; `usage: { include: true }` has it say what an answer cost. Errors of the
 * provider behind it come inside a 200, at the top or in the choice, with its status as `code`; an empty account is a 402.
 * While it waits, streams have comments.
 */
export const openrouter: ProviderKind = {
  name: "openrouter",
  isAt: ({ hostname }) => hostname === "openrouter.ai",
  usual: {
    baseUrl: "https://openrouter.ai/api/v1",
    keyVariable: "OPENROUTER_API_KEY",
    reportsCost: true,
    model: "openai/gpt-5.1",
  },
  publicPrices: true,
  path: "/chat/completions",
};
