import type { CouncilSetup, Seat } from "../council-setup.ts";
import type { InfoAnswer } from "../look-up/info-request.ts";
import { type Assessment, escalationId } from "./assess-round.ts";
import type { Ending, Escalation } from "./council-round.ts";
import { type Recruitment, recruit } from "./recruitment.ts";
import type { Synthesis } from "./synthesis.ts";

/** What a council goes into its next round with, or why there is none. */
export interface Settlement {
  readonly escalations: readonly Escalation[];
  readonly recruitments: readonly Recruitment[];
  /** What was found out in this round; rulings on escalations are information for everybody. */
  readonly info: readonly InfoAnswer[];
  readonly seats: readonly Seat[];
  readonly ended: Ending | undefined;
}

/** A synthesis that changes nothing: what speculation counts on. */
export const uneventful: Pick<Synthesis, "next" | "rulings" | "recruits"> = {
  next: "continue",
  rulings: [],
  recruits: [],
};

/**
 * Closes a round: every request and escalation has had its one attempt. The council goes on if somebody joins or
 * something was found out; otherwise it has converged as soon as the leading verdict has the threshold.
 */
export function settleRound(
  setup: CouncilSetup,
  seats: readonly Seat[],
  assessment: Assessment,
  info: readonly InfoAnswer[],
  synthesis: Pick<Synthesis, "next" | "rulings" | "recruits">,
): Settlement {
  const escalations = assessment.escalations.map((escalation) => ({
    ...escalation,
    ruling:
      synthesis.rulings.find(({ persona }) => persona === escalation.by || persona === escalation.to)?.why ?? null,
  }));
  const called = recruit(
    synthesis.recruits.map((call) => ({ by: "arbiter", call })),
    [...seats.map(({ name }) => name), ...joining(assessment.recruitments)],
    setup,
  );
  const recruitments = [...assessment.recruitments, ...called];
  const joined = joining(recruitments).flatMap((name) => setup.library.filter((seat) => seat.name === name));
  const rulings = escalations
    .filter(({ ruling }) => ruling !== null)
    .map((escalation) => ({
      id: escalationId(escalation),
      text: `${escalation.by} escalated to ${escalation.to}: ${escalation.why}`,
      answer: escalation.ruling,
      from: "the arbiter's ruling",
    }));
  const news = joined.length + info.filter(({ answer }) => answer !== null).length;
  return {
    escalations,
    recruitments,
    info: [...info, ...rulings],
    seats: [...seats, ...joined],
    ended: assessment.ending ?? endedBy(assessment, news, synthesis),
  };
}

function endedBy({ convergence }: Assessment, news: number, { next }: Pick<Synthesis, "next">): Ending | undefined {
  if (next === "conclude") return "concluded";
  return news === 0 && convergence.agreed ? "converged" : undefined;
}

function joining(recruitments: readonly Recruitment[]): string[] {
  return recruitments.filter(({ outcome }) => outcome === "joins").map(({ persona }) => persona);
}
