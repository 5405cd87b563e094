import { type ProviderKind, withReasoningEffort } from "./provider-kind.ts";

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
