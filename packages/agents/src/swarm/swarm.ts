import type { Said } from "../consult/consultation-search.ts";
import type { Consultation } from "../models/consultation.ts";
import type { AnswerSummary } from "../models/money/totals.ts";
import type { Reply, Verdict } from "../replies/reply.ts";
import type { Finding } from "./review-findings.ts";

/** What a swarm does with its answers. */
export type SwarmMode = "analyze" | "generate" | "review" | "test-cases" | "batch";

/** One prompt of a swarm. Its label and category belong to the prompt: no answer can change or shift them. */
export interface SwarmTask extends Consultation {
  /** What kind of case a test-case prompt asks for. */
  readonly category?: string;
  /** Of the file that a review is about. */
  readonly lineCount?: number;
}

export interface SkippedFile {
  readonly label: string;
  readonly why: string;
}

/** Everything that shapes a swarm; plain data, written down with the run. */
export interface Swarm {
  readonly mode: SwarmMode;
  /** What the swarm is about, in the user's words. */
  readonly about: string;
  readonly tasks: readonly SwarmTask[];
  readonly skipped: readonly SkippedFile[];
}

export interface SwarmAnswer extends Said {
  readonly index: number;
  readonly label: string;
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
        readonly form: Reply["form"];
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
      /** By severity: those that were asked for, then those that models used besides. */
      readonly counts: Readonly<Record<string, number>>;
      readonly files: readonly {
        readonly index: number;
        readonly label: string;
        readonly findings: readonly Finding[];
        readonly form: Reply["form"];
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
  readonly summary: AnswerSummary;
}
