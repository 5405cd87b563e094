import type { Outcome } from "@coppice/engine";
import { nothing, parseReply } from "../../replies/parse-reply.ts";
import type { Reply } from "../../replies/reply.ts";
import type { CouncilNews } from "../candidate.ts";
import type { InfoAnswer } from "../look-up/info-request.ts";
import type { Agenda } from "./agenda.ts";
import type { Assessment } from "./assess-round.ts";
import type { Convergence } from "./convergence.ts";
import type { Recruitment } from "./recruitment.ts";
import type { Settlement } from "./settle-round.ts";
import type { Synthesis } from "./synthesis.ts";

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

/** Endings after which nobody is asked anything any more. */
export function needsNoArbiter(ending: Ending | undefined): boolean {
  return ending === "all-failed" || ending === "no-quorum" || ending === "cost-cap";
}

/** The round everybody is busy with. */
export interface OpenRound {
  readonly agenda: Agenda;
  /** By seat, as far as they were made. */
  readonly statements: (Statement | undefined)[];
  /** Once everybody has spoken. */
  assessment: Assessment | undefined;
  /** By request, as far as they were answered. */
  info: (InfoAnswer | undefined)[];
  /** What went wrong with the arbiter, one line per attempt. */
  readonly trouble: string[];
}

export function openRound(agenda: Agenda): OpenRound {
  return { agenda, statements: agenda.seats.map(() => undefined), assessment: undefined, info: [], trouble: [] };
}

/** What a persona said; one that could not be asked abstains. */
export function statementOf({ seats, models }: Agenda, seat: number, outcome: Outcome<CouncilNews>): Statement {
  const persona = seats[seat].name;
  const model = models[seat];
  if (!outcome.ok) {
    const failed = `${outcome.failure.type}: ${outcome.failure.message}`;
    return { persona, model, opinion: { ...nothing, verdict: "ABSTAIN", reasoning: failed, form: "prose" }, failed };
  }
  if (outcome.value.kind !== "model") throw new Error(`${persona} was answered by a look-up`);
  const { content, cost } = outcome.value;
  return { persona, model, opinion: parseReply(content), ...(cost === undefined ? {} : { cost }) };
}

/** Every request of the round with its answer; those still out count as unanswered. */
export function answers({ assessment, info }: OpenRound): InfoAnswer[] {
  const requests = assessment?.requests ?? [];
  return requests.map(({ id, text }, i) => info[i] ?? { id, text, answer: null, from: "not answered yet" });
}

/** What was really found out so far. */
export function known({ info }: OpenRound): InfoAnswer[] {
  return info.filter((answer) => answer !== undefined).filter(({ answer }) => answer !== null);
}

/** The round as history; `synthesis` is null when nobody summed it up. */
export function closedRound(open: OpenRound, settlement: Settlement, synthesis: Synthesis | null): Round {
  const { agenda, statements, assessment } = open;
  if (assessment === undefined) throw new Error(`round ${agenda.round} is not assessed yet`);
  const { info, escalations, recruitments } = settlement;
  return {
    round: agenda.round,
    context: agenda.context,
    statements: statements.filter((statement) => statement !== undefined),
    convergence: assessment.convergence,
    info,
    escalations,
    recruitments,
    synthesis,
  };
}

/** What the round's statements cost, in US dollars: what the next one's will, roughly. */
export function statementCost({ statements }: OpenRound): number {
  return statements.reduce((sum, statement) => sum + (statement?.cost ?? 0), 0);
}
