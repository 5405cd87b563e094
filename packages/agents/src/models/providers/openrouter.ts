import type { ProviderKind } from "./provider-kind.ts";

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
