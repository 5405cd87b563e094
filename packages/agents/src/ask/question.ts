import type { ModelRequest } from "../models/contract.ts";
import type { ConfidenceLevel } from "./confidence-level.ts";

export const stances = ["for", "against", "neutral"] as const;
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
  /** Further fields of every request. */
  readonly tuning: Pick<ModelRequest, "temperature" | "maxTokens" | "effort">;
}
