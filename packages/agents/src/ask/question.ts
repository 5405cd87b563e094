import type { Said } from "../consult/consultation-search.ts";
import type { JsonSchema, ModelMessage, Tuning } from "../models/consultation.ts";
import type { AnswerSummary } from "../models/money/totals.ts";
import type { Reply, Verdict } from "../replies/reply.ts";
import type { ConfidenceLevel } from "./confidence-level.ts";

const stances = ["for", "against", "neutral"] as const;
export type Stance = (typeof stances)[number];

/** Who is asked: a persona, someone described by the user, or the model as it is. */
export interface Respondent {
  /** `judge`; also the label of the call. */
  readonly name: string;
  readonly title: string;
  /** `provider/model` */
  readonly model: string;
  /** What it is told to be; none for the model as it is. */
  readonly instructions?: string;
  /** Whether it is asked for a verdict in the reply form of personas. */
  readonly opinion: boolean;
  /** What was said before this question. */
  readonly earlier?: readonly ModelMessage[];
}

/** Everything that shapes the answers to one question; plain data, written down with the run. */
export interface Question {
  readonly query: string;
  readonly respondents: readonly Respondent[];
  readonly stance: Stance;
  /** The most times each respondent is asked, the first time included. */
  readonly steps: number;
  /** A respondent this sure is not asked again. */
  readonly targetConfidence: ConfidenceLevel;
  readonly tuning: Tuning;
  /** JSON Schema of the answer. */
  readonly schema?: JsonSchema;
}

export interface AskAnswer extends Said {
  readonly persona: string;
  readonly title: string;
  readonly model: string;
  readonly verdict: Verdict | null;
  /** 0–100; null when the respondent was not asked for it. */
  readonly confidence: number | null;
  /** How the verdict was read; null without one to read. */
  readonly readFrom: Reply["form"] | null;
  readonly steps: number;
  /** The answer as a value, where it was asked for in a shape. */
  readonly value?: unknown;
}

/** The answers to a question, in the order in which they were asked for. */
export interface AskResult {
  readonly query: string;
  /** One model, or those there were, separated by commas. */
  readonly model: string;
  readonly results: readonly AskAnswer[];
  readonly summary: AnswerSummary;
}
