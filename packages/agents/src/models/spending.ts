import type { ModelAnswer, ModelRequest } from "./consultation.ts";
import type { Price } from "./models-file.ts";

const CHARACTERS_PER_TOKEN = 4;
const MILLION = 1_000_000;
/** What an answer is taken to be as long as, until some have been seen. */
const USUAL_ANSWER_TOKENS = 500;

/** What has been spent through a gateway in this session. */
export interface Spending {
  readonly asked: number;
  readonly answered: number;
  readonly failed: number;
  readonly promptTokens: number;
  readonly answerTokens: number;
  /** US dollars for answers, as far as prices are known. */
  readonly cost: number;
  /** Estimated dollars for requests that were aborted under way: nobody got their answer. */
  readonly wasted: number;
  readonly aborted: number;
  /** Times a provider said 429. */
  readonly refusals: number;
}

/** What an answer cost: by the provider's account, by the price, or unknown. */
export function costOf(
  { usage, cost }: Pick<ModelAnswer, "usage" | "cost">,
  price: Price | undefined,
): number | undefined {
  if (cost !== undefined) return cost;
  if (usage === undefined || price === undefined) return undefined;
  return (usage.promptTokens * price.input + usage.answerTokens * price.output) / MILLION;
}

/** About how many tokens a text has. */
export function estimatedTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** What a request may cost, before its answer is known. */
export function expectedCost({ messages, maxTokens }: ModelRequest, price: Price | undefined): number {
  const answerTokens = Math.min(maxTokens ?? USUAL_ANSWER_TOKENS, USUAL_ANSWER_TOKENS);
  return estimatedCost(messages, answerTokens, price);
}

/** What a request cost that was aborted after some of its answer had come. */
export function abortedCost({ messages }: ModelRequest, characters: number, price: Price | undefined): number {
  return estimatedCost(messages, estimatedTokens(characters), price);
}

function estimatedCost(messages: ModelRequest["messages"], answerTokens: number, price: Price | undefined): number {
  const promptTokens = estimatedTokens(messages.reduce((sum, { content }) => sum + content.length, 0));
  return costOf({ usage: { promptTokens, answerTokens } }, price) ?? 0;
}
