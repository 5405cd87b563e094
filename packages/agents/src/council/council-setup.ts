import type { Tuning } from "../models/consultation.ts";
import type { ConvergenceRule } from "./round/convergence.ts";
import type { Setting } from "./round/timekeeper.ts";

/** A persona with its seat in the council. */
export interface Seat {
  readonly name: string;
  /** What it is told to be. */
  readonly prompt: string;
  /** Its own model; otherwise one is dealt each round. */
  readonly model?: string;
}

/** Everything that shapes a council; plain data, written down with the run. */
export interface CouncilSetup {
  readonly proposal: string;
  /** Who sits in round one, in the order that decides ties. */
  readonly seats: readonly Seat[];
  /** Who can be called in. */
  readonly library: readonly Seat[];
  /** Models that are dealt to personas. */
  readonly models: readonly string[];
  readonly arbiter: Arbiter;
  readonly tuning: Tuning;
  readonly maxRounds: Setting;
  readonly threshold: Setting;
  readonly abstain: ConvergenceRule["abstain"];
  /** Share of personas that must have answered for a round to count, 0–1. */
  readonly quorum: number;
  readonly maxSize: number;
  /** No round and no synthesis is begun once this much was spent, in US dollars. */
  readonly maxCost?: number;
  /** Answers prepared for requests that contain the text before them. */
  readonly answers: Readonly<Record<string, string>>;
  /** Whether requests may be looked up in the code, and put to a person. */
  readonly lookUp: { readonly code: boolean; readonly person: boolean };
  readonly speculate: boolean;
  readonly seed: number;
}

interface Arbiter {
  readonly prompt: string;
  readonly model: string;
  /** Asked when the arbiter's own model fails twice. */
  readonly fallback?: string;
}
