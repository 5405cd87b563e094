import type { Consultation } from "../models/contract.ts";

/** What a swarm does with its answers. */
export type SwarmMode = "analyze" | "generate" | "review" | "test-cases" | "batch";

/** One prompt of a swarm. Its label and category belong to the prompt: no answer can change or shift them. */
export interface SwarmTask extends Consultation {
  /** What kind of case a test-case prompt asks for. */
  readonly category?: string;
}

/** A file that is not asked about, and why. */
export interface SkippedFile {
  readonly label: string;
  readonly why: string;
}

/** Everything that shapes a swarm; plain data, written down with the run. */
export interface SwarmPlan {
  readonly mode: SwarmMode;
  /** What the swarm is about, in the user's words. */
  readonly about: string;
  readonly tasks: readonly SwarmTask[];
  readonly skipped: readonly SkippedFile[];
}

/** The most prompts of one swarm. */
export const MOST_PROMPTS = 1000;
