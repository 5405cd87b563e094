import type { CallTotals } from "../models/call-totals.ts";
import type { Mention, Reply, Verdict } from "../replies/reply.ts";
import type { Convergence } from "./convergence.ts";
import type { InfoAnswer } from "./info-request.ts";
import type { Recruitment } from "./recruitment.ts";
import type { CouncilPace } from "./timekeeper.ts";

/** A persona's part in a round. */
export interface Statement {
  readonly persona: string;
  readonly model: string;
  readonly opinion: Reply;
  /** Why it could not be asked; it then abstains. */
  readonly failed?: string;
  /** In US dollars, if known. */
  readonly cost?: number;
}

/** What the arbiter made of a round. */
export interface Synthesis {
  readonly verdict: Verdict | null;
  readonly confidence: number;
  readonly reasoning: string;
  readonly next: "continue" | "conclude";
  readonly rulings: readonly Mention[];
  readonly recruits: readonly Mention[];
  /** Who spoke: the arbiter, its fallback model, or nobody, so that the numbers had to. */
  readonly by: "arbiter" | "fallback" | "statistics";
  readonly model: string | null;
  /** What went wrong before, one line per attempt. */
  readonly trouble: readonly string[];
}

export interface Round {
  readonly round: number;
  /** Hash of all prompts and models of the round. */
  readonly context: string;
  readonly statements: readonly Statement[];
  readonly convergence: Convergence;
  /** Requests first made in this round, and what became of them. */
  readonly info: readonly InfoAnswer[];
  readonly escalations: readonly Escalation[];
  readonly recruitments: readonly Recruitment[];
  readonly synthesis: Synthesis | null;
}

export interface Escalation {
  readonly by: string;
  readonly to: string;
  readonly why: string;
  /** The arbiter's answer; null when it gave none, which closes the matter too. */
  readonly ruling: string | null;
}

/** Why the council rose. */
export type Ending =
  | "converged"
  /** The arbiter said that another round would change nothing. */
  | "concluded"
  | "stalemate"
  | "max-rounds"
  | "cost-cap"
  | "no-quorum"
  /** Nobody answered. */
  | "all-failed"
  | "unfinished";

export interface Dissent {
  readonly persona: string;
  readonly verdict: Verdict;
  readonly confidence: number;
  readonly conviction: number;
  readonly reasoning: string;
  readonly blockers: readonly string[];
}

export interface CouncilResult {
  readonly proposal: string;
  readonly ended: Ending;
  readonly verdict: Verdict | null;
  readonly confidence: number;
  readonly reasoning: string;
  readonly decidedBy: Synthesis["by"];
  /** True when something the verdict should rest on was missing; `labels` say what. */
  readonly degraded: boolean;
  readonly labels: readonly string[];
  /** The settings that were really used. */
  readonly settings: CouncilPace & { readonly quorum: number; readonly abstain: "counts" | "ignored" };
  readonly minority: readonly Dissent[];
  readonly personas: readonly string[];
  readonly rounds: readonly Round[];
  /** Of what was told to the council; speculation that came to nothing is not in here. */
  readonly totals: CallTotals;
}
