import { type ProviderKind, withReasoningEffort } from "./provider-kind.ts";

/**
 * Ollama on a machine of one's own. Needs no key and no price; effort is `reasoning_effort`; thoughts are `reasoning`. A
 * model that was not fetched yet is a 404 that says so.
 */
export const ollama: ProviderKind = {
  name: "ollama",
  isAt: ({ port }) => port === "11434",
  publicPrices: false,
  path: "/chat/completions",
  body: withReasoningEffort,
};
