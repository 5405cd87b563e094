import type { TokenUsage } from "../models/contract.ts";
import { addUsage, sumCosts } from "../models/totals.ts";

/** How many answered, how long it took, and what it cost. */
export interface AskSummary {
  readonly ok: number;
  readonly failed: number;
  /** Of the slowest: they were asked at the same time. */
  readonly ms: number;
  readonly usage: TokenUsage;
  /** US dollars, as far as prices are known; null when none is. */
  readonly cost: number | null;
}

/** Adds answers up. */
export function summaryOf(
  answers: readonly (Pick<AskSummary, "ms" | "usage" | "cost"> & { readonly ok: boolean })[],
): AskSummary {
  return {
    ok: answers.filter(({ ok }) => ok).length,
    failed: answers.filter(({ ok }) => !ok).length,
    ms: Math.max(0, ...answers.map(({ ms }) => ms)),
    usage: addUsage(answers.map(({ usage }) => usage)),
    cost: sumCosts(answers.map(({ cost }) => cost)),
  };
}
