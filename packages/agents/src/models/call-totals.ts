import type { Outcome } from "@coppice/engine";
import type { ModelAnswer } from "./contract.ts";
import { sumCosts, usageOf } from "./totals.ts";

/** What calls to models came to so far. */
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

/** Calls, tokens and money on one line. */
export function callsText({ calls, failed, promptTokens, answerTokens, cost }: CallTotals): string {
  const count = (value: number) => value.toLocaleString("en");
  const trouble = failed === 0 ? "" : ` (${count(failed)} failed)`;
  const money = cost === null ? "cost unknown" : `$${cost.toFixed(4)}`;
  return `${count(calls)} calls${trouble}, ${count(promptTokens + answerTokens)} tokens, ${money}`;
}
