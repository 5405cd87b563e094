import type { Outcome } from "@coppice/engine";
import { nothing, parseReply } from "../replies/parse-reply.ts";
import type { Assessment } from "./assess-round.ts";
import type { CouncilValue } from "./candidate.ts";
import type { Round, Statement, Synthesis } from "./council-record.ts";
import type { InfoAnswer } from "./info-request.ts";
import type { RoundPlan } from "./plan-round.ts";
import type { Settlement } from "./settle-round.ts";

/** The round everybody is busy with. */
export interface OpenRound {
  readonly plan: RoundPlan;
  /** By seat, as far as they were made. */
  readonly statements: (Statement | undefined)[];
  /** Once everybody has spoken. */
  assessment: Assessment | undefined;
  /** By request, as far as they were answered. */
  info: (InfoAnswer | undefined)[];
  /** What went wrong with the arbiter, one line per attempt. */
  readonly trouble: string[];
}

export function openRound(plan: RoundPlan): OpenRound {
  return { plan, statements: plan.seats.map(() => undefined), assessment: undefined, info: [], trouble: [] };
}

/** What a persona said; one that could not be asked abstains. */
export function statementOf({ seats, models }: RoundPlan, seat: number, outcome: Outcome<CouncilValue>): Statement {
  const persona = seats[seat]?.name ?? "";
  const model = models[seat] ?? "";
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
  const { plan, statements, assessment } = open;
  if (assessment === undefined) throw new Error(`round ${plan.round} is not assessed yet`);
  const { info, escalations, recruitments } = settlement;
  return {
    round: plan.round,
    context: plan.context,
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
