import type { ModelAnswer, TokenUsage } from "./contract.ts";

/** An answer's tokens; none where the provider did not count. */
export function usageOf({ usage }: ModelAnswer): TokenUsage {
  return usage ?? { promptTokens: 0, answerTokens: 0 };
}

export function addUsage(usages: readonly TokenUsage[]): TokenUsage {
  return {
    promptTokens: usages.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
    answerTokens: usages.reduce((sum, { answerTokens }) => sum + answerTokens, 0),
  };
}

/** The sum of what is known; null when nothing is. */
export function sumCosts(costs: readonly (number | null)[]): number | null {
  const known = costs.filter((cost) => cost !== null);
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0);
}
