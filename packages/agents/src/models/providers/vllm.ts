import { type ProviderKind, withReasoningEffort } from "./provider-kind.ts";

/**
 * vLLM's server. Effort is `reasoning_effort`; thoughts are `reasoning_content`, or `reasoning` in later versions. Earlier
 * versions put a refusal at the top of the body (`{"object": "error", "message": …}`) instead of below `error`.
 */
export const vllm: ProviderKind = {
  name: "vllm",
  isAt: () => false,
  publicPrices: false,
  path: "/chat/completions",
  body: withReasoningEffort,
  refusal: (body) =>
    typeof body === "object" && body !== null && "message" in body && !("error" in body) ? { error: body } : body,
};
