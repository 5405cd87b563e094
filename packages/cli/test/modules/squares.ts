import { appendFileSync, existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { Search } from "@coppice/engine";
import { defineRun } from "@coppice/engine/evaluator";

export interface Context {
  readonly delayMs: number;
  /** A file that gets a line per evaluation, to count them. */
  readonly ledger: string;
  /** The number whose evaluation fails. */
  readonly failAt: number;
  /** If named, it fails only while this file exists. */
  readonly failWhile: string;
  /** If named, evaluations from the sixth on wait while this file exists. */
  readonly heldWhile: string;
}

/** Squares of 0 … count − 1, added up; every evaluation can be slowed down, counted, or made to fail. */
export default defineRun({
  options: { count: 12, delayMs: 0, ledger: "", failAt: -1, failWhile: "", heldWhile: "" },
  lookahead: 50,
  search: ({ seed, options: { count } }): Search<number, number, { sum: number; failed: number }> => {
    let next = 0;
    let told = 0;
    let sum = seed;
    let failed = 0;
    return {
      ask: () => {
        if (next < count) return { kind: "candidate", candidate: next, key: `square-${next++}` };
        return told < count ? { kind: "wait" } : { kind: "done" };
      },
      tell: (outcome) => {
        told++;
        if (outcome.ok) sum += outcome.value;
        else failed++;
      },
      result: () => ({ sum, failed }),
    };
  },
  context: ({ options: { count: _, ...context } }): Context => context,
  setup: (context: Context) => context,
  evaluate: async ({ delayMs, ledger, failAt, failWhile, heldWhile }: Context, x: number) => {
    if (ledger !== "") appendFileSync(ledger, `${x}\n`);
    while (x > 5 && heldWhile !== "" && existsSync(heldWhile)) await wait(20);
    if (delayMs > 0) await wait(delayMs);
    if (x === failAt && (failWhile === "" || existsSync(failWhile))) throw new RangeError(`no square of ${x} today`);
    return x * x;
  },
  describe: ({ sum, failed }) => `sum of squares ${sum}, ${failed} failed`,
});
