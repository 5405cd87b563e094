import { openaiBody } from "./openai.ts";
import type { ProviderKind } from "./provider-kind.ts";

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
