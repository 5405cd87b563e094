import type { Failure } from "@coppice/engine";
import type { AskSummary } from "../ask/summary.ts";
import type { TokenUsage } from "../models/contract.ts";
import type { Verdict } from "../replies/reply.ts";
import type { Finding, Severity } from "./findings.ts";
import type { SkippedFile, SwarmMode } from "./swarm-plan.ts";

/** What came of one prompt. */
export interface SwarmAnswer {
  readonly index: number;
  readonly label: string;
  readonly ok: boolean;
  readonly content: string;
  readonly reasoning: string;
  readonly ms: number;
  readonly usage: TokenUsage;
  readonly cost: number | null;
  readonly error: Failure | null;
}

/** What the answers come to together. */
export type SwarmAggregate =
  | {
      readonly mode: "analyze";
      readonly views: readonly {
        readonly index: number;
        readonly label: string;
        readonly verdict: Verdict | null;
        readonly confidence: number;
        readonly form: "json" | "labels" | "prose";
      }[];
    }
  | {
      readonly mode: "generate" | "batch";
      /** Answers that say something new, with those that say nearly the same. */
      readonly distinct: readonly {
        readonly index: number;
        readonly label: string;
        readonly same: readonly string[];
      }[];
    }
  | {
      readonly mode: "review";
      readonly counts: Readonly<Record<Severity, number>>;
      readonly files: readonly {
        readonly index: number;
        readonly label: string;
        readonly findings: readonly Finding[];
        readonly form: "json" | "labels" | "prose";
      }[];
      /** Files whose review could not be read as findings: not counted. */
      readonly unread: readonly string[];
    }
  | {
      readonly mode: "test-cases";
      readonly categories: Readonly<Record<string, readonly TestCase[]>>;
      readonly unread: readonly string[];
    };

export interface TestCase {
  readonly index: number;
  readonly name: string;
  readonly given: string;
  readonly expect: string;
}

/** The answers of a swarm, in the order of its prompts. */
export interface SwarmResult {
  readonly mode: SwarmMode;
  readonly about: string;
  readonly model: string;
  readonly results: readonly SwarmAnswer[];
  readonly skipped: readonly SkippedFile[];
  readonly aggregate: SwarmAggregate;
  readonly summary: AskSummary;
}
