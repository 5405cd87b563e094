import type { Failure } from "@coppice/engine";
import type { TokenUsage } from "../models/contract.ts";
import type { Verdict } from "../replies/reply.ts";
import type { AskSummary } from "./summary.ts";

/** What one respondent said. */
export interface AskAnswer {
  readonly persona: string;
  readonly title: string;
  readonly model: string;
  readonly ok: boolean;
  /** The last step's answer; empty without one. */
  readonly content: string;
  readonly reasoning: string;
  readonly verdict: Verdict | null;
  /** 0–100; null when the respondent was not asked for it. */
  readonly confidence: number | null;
  /** How the verdict was read; null without one to read. */
  readonly readFrom: "json" | "labels" | "prose" | null;
  readonly steps: number;
  /** All steps together. */
  readonly ms: number;
  readonly usage: TokenUsage;
  /** US dollars; null when no price is known. */
  readonly cost: number | null;
  readonly error: Failure | null;
}

/** The answers to a question, in the order in which they were asked for. */
export interface AskResult {
  readonly query: string;
  /** One model, or those there were, separated by commas. */
  readonly model: string;
  readonly results: readonly AskAnswer[];
  readonly summary: AskSummary;
}
