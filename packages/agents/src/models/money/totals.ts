import type { Outcome } from "@coppice/engine";
import { counted, formatCount } from "@coppice/engine/figures";
import type { ModelAnswer, TokenUsage } from "../consultation.ts";

/** An answer's tokens; none where the provider did not count. */
export function usageOf({ usage }: ModelAnswer): TokenUsage {
  return usage ?? { promptTokens: 0, answerTokens: 0 };
}

export function addUsage(usages: readonly TokenUsage[]): TokenUsage {
  return {
    promptTokens: sum(usages.map(({ promptTokens }) => promptTokens)),
    answerTokens: sum(usages.map(({ answerTokens }) => answerTokens)),
  };
}

/** The sum of what is known; null when nothing is. */
export function sumCosts(costs: readonly (number | null)[]): number | null {
  const known = costs.filter((cost) => cost !== null);
  return known.length === 0 ? null : sum(known);
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export interface CallTotals {
  readonly calls: number;
  readonly failed: number;
  readonly promptTokens: number;
  readonly answerTokens: number;
  /** In US dollars, as far as prices are known; null when none is. */
  readonly cost: number | null;
}

export const noCalls: CallTotals = { calls: 0, failed: 0, promptTokens: 0, answerTokens: 0, cost: null };

export function addCall(totals: CallTotals, outcome: Outcome<ModelAnswer>): CallTotals {
  if (!outcome.ok) return { ...totals, calls: totals.calls + 1, failed: totals.failed + 1 };
  const { promptTokens, answerTokens } = usageOf(outcome.value);
  return {
    ...totals,
    calls: totals.calls + 1,
    promptTokens: totals.promptTokens + promptTokens,
    answerTokens: totals.answerTokens + answerTokens,
    cost: sumCosts([totals.cost, outcome.value.cost ?? null]),
  };
}

export function callsText({ calls, failed }: CallTotals): string {
  return `${counted(calls, "call")}${failed === 0 ? "" : ` (${formatCount(failed)} failed)`}`;
}

/** How many answered, how long it took, and what it cost. */
export interface AnswerSummary {
  readonly ok: number;
  readonly failed: number;
  /** Of the slowest of those that were asked at the same time. */
  readonly ms: number;
  readonly usage: TokenUsage;
  /** US dollars, as far as prices are known; null when none is. */
  readonly cost: number | null;
}

export function summaryOf(
  answers: readonly (Pick<AnswerSummary, "ms" | "usage" | "cost"> & { readonly ok: boolean })[],
): AnswerSummary {
  return {
    ok: answers.filter(({ ok }) => ok).length,
    failed: answers.filter(({ ok }) => !ok).length,
    ms: Math.max(0, ...answers.map(({ ms }) => ms)),
    usage: addUsage(answers.map(({ usage }) => usage)),
    cost: sumCosts(answers.map(({ cost }) => cost)),
  };
}

/** How many answered and how long it took. */
export function summaryText({ ok, failed, ms }: AnswerSummary): string {
  return `${ok} answered, ${failed} failed · ${(ms / 1000).toFixed(1)} s`;
}
