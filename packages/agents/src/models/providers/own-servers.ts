import type { ChatBody } from "../transport/chat-protocol.ts";
import { type ProviderKind, withReasoningEffort } from "./provider-kind.ts";

// Models on machines of one's own: none needs a key or has a public price.

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

/**
 * `llama-server` of llama.cpp. It has one model, whatever name is sent; thoughts are `reasoning_content`. It knows no
 * effort: the template's own switch is what there is. While the model loads it says 503, which is waited for.
 */
export const llamaCpp: ProviderKind = {
  name: "llama.cpp",
  isAt: () => false,
  publicPrices: false,
  path: "/chat/completions",
  body: ({ reasoning, ...body }: ChatBody) =>
    reasoning === undefined ? body : { ...body, chat_template_kwargs: { reasoning_effort: reasoning.effort } },
};

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
