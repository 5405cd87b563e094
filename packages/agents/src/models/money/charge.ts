import { formatCount } from "@coppice/engine/figures";
import type { ModelAnswer, ModelRequest, TokenUsage } from "../consultation.ts";
import type { Price } from "../models-file.ts";

const CHARACTERS_PER_TOKEN = 4;
const MILLION = 1_000_000;
/** What an answer is taken to be as long as, until it is known. */
const USUAL_ANSWER_TOKENS = 500;
/** Tokens that a provider may count for each message besides its text. */
const TOKENS_PER_MESSAGE = 16;

/** What one request cost, or several together. */
export interface Charge {
  readonly usage?: TokenUsage;
  /** US dollars; absent when it is not known. */
  readonly cost?: number;
  /** The provider did not say all of it: some is estimated from lengths. */
  readonly estimated?: true;
}

/** What has been spent through a gateway in this session. */
export interface Spending {
  readonly asked: number;
  readonly answered: number;
  readonly failed: number;
  readonly promptTokens: number;
  readonly answerTokens: number;
  /** US dollars for answers and failures, as far as prices are known. */
  readonly cost: number;
  /** Estimated dollars for requests that were aborted under way: nobody got their answer. */
  readonly wasted: number;
  readonly aborted: number;
  /** Times a provider said 429. */
  readonly refusals: number;
}

/** What an answer cost: by the provider's account, by the price, by an estimate of what it did not count, or unknown. */
export function chargeOf(
  said: Pick<ModelAnswer, "usage" | "cost">,
  { messages }: Pick<ModelRequest, "messages">,
  answerTokens: number,
  price: Price | undefined,
): Charge {
  const { usage, cost } = said;
  if (cost !== undefined) return { ...(usage === undefined ? {} : { usage }), cost };
  const counted = usage ?? { promptTokens: estimatedTokens(lengthOf(messages)), answerTokens };
  return {
    usage: counted,
    ...(price === undefined ? {} : { cost: priced(counted, price) }),
    ...(usage === undefined ? { estimated: true } : {}),
  };
}

export function addCharges(a: Charge, b: Charge): Charge {
  const usage =
    a.usage === undefined || b.usage === undefined
      ? (a.usage ?? b.usage)
      : {
          promptTokens: a.usage.promptTokens + b.usage.promptTokens,
          answerTokens: a.usage.answerTokens + b.usage.answerTokens,
        };
  const cost = a.cost === undefined && b.cost === undefined ? undefined : (a.cost ?? 0) + (b.cost ?? 0);
  return {
    ...(usage === undefined ? {} : { usage }),
    ...(cost === undefined ? {} : { cost }),
    ...(a.estimated === true || b.estimated === true ? { estimated: true } : {}),
  };
}

/** About how many tokens a text has. */
export function estimatedTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** About how long an answer will be, in tokens. */
export function expectedTokens({ maxTokens }: Pick<ModelRequest, "maxTokens">): number {
  return Math.min(maxTokens ?? USUAL_ANSWER_TOKENS, USUAL_ANSWER_TOKENS);
}

/** What a request may cost before its answer is known. */
export interface Expectation {
  /** What it will cost if its answer is of the usual length; unknown without a price. */
  readonly expected: number | undefined;
  /** The most it can cost: a token per byte, and an answer as long as it may be. Unbounded if that has no limit. */
  readonly most: number;
  /** The same in words. */
  readonly says: string;
}

export function expectation(request: ModelRequest, price: Price | undefined): Expectation {
  const { messages, maxTokens } = request;
  const promptTokens = estimatedTokens(lengthOf(messages));
  const answerTokens = expectedTokens(request);
  const bytes = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content) + TOKENS_PER_MESSAGE, 0);
  const tokens = `about ${formatCount(promptTokens)} tokens asked and ${formatCount(answerTokens)} answered`;
  if (price === undefined)
    return { expected: undefined, most: Number.POSITIVE_INFINITY, says: `${tokens}, at an unknown price` };
  return {
    expected: priced({ promptTokens, answerTokens }, price),
    most:
      maxTokens === undefined
        ? Number.POSITIVE_INFINITY
        : priced({ promptTokens: bytes, answerTokens: maxTokens }, price),
    says: `${tokens}, at $${price.input} and $${price.output} per million`,
  };
}

function priced({ promptTokens, answerTokens }: TokenUsage, { input, output }: Price): number {
  return (promptTokens * input + answerTokens * output) / MILLION;
}

function lengthOf(messages: ModelRequest["messages"]): number {
  return messages.reduce((sum, { content }) => sum + content.length, 0);
}
