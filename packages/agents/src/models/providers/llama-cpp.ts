import type { ChatBody } from "../transport/chat-protocol.ts";
import type { ProviderKind } from "./provider-kind.ts";

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
