import type { HttpProvider } from "../models-file.ts";
import { anthropic } from "./anthropic.ts";
import { azure, google, openai, openrouter } from "./chat-services.ts";
import { llamaCpp, ollama, vllm } from "./own-servers.ts";
import type { ProviderKind } from "./provider-kind.ts";

/** Any other server that speaks the OpenAI protocol. */
const compatible: ProviderKind = {
  name: "openai-compatible",
  isAt: () => true,
  publicPrices: false,
  path: "/chat/completions",
};

/** Every kind there is; the first that knows an address is the one at it. */
export const providerKinds: readonly ProviderKind[] = [
  openrouter,
  openai,
  anthropic,
  google,
  azure,
  ollama,
  llamaCpp,
  vllm,
  compatible,
];

/** What a provider of the models file is: as it says, or as its address does. */
export function kindOf({ kind, baseUrl }: Pick<HttpProvider, "kind" | "baseUrl">): ProviderKind {
  const named = kind === undefined ? undefined : providerKinds.find(({ name }) => name === kind);
  const address = new URL(baseUrl);
  return named ?? providerKinds.find(({ isAt }) => isAt(address)) ?? compatible;
}
