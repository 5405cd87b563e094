import type { ChosenModel } from "../choose-model.ts";
import type { ModelRequest } from "../contract.ts";

/** The exact JSON body that an OpenAI-compatible provider is sent. */
export interface ChatBody {
  readonly model: string;
  readonly messages: readonly { readonly role: "system" | "user" | "assistant"; readonly content: string }[];
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly reasoning?: { readonly effort: "low" | "medium" | "high" };
  readonly response_format?: { readonly type: "json_object" };
  readonly usage?: { readonly include: true };
  readonly stream?: true;
  readonly stream_options?: { readonly include_usage: true };
}

/** Turns a request into the provider's terms. */
export function chatBody(
  request: ModelRequest,
  { model, provider }: Pick<ChosenModel, "model" | "provider">,
): ChatBody {
  const { messages, temperature, maxTokens, effort, json } = request;
  const { stream = true, reportsCost = false } = "baseUrl" in provider ? provider : {};
  return {
    model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(effort === undefined ? {} : { reasoning: { effort } }),
    ...(json === true ? { response_format: { type: "json_object" } } : {}),
    ...(reportsCost ? { usage: { include: true } } : {}),
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  };
}
