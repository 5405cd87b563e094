import type { CouncilSetup } from "../council-setup.ts";
import { type InfoRequest, newRequests } from "../look-up/info-request.ts";
import type { Agenda } from "./agenda.ts";
import { type Convergence, convergence } from "./convergence.ts";
import type { Ending, Escalation, Statement } from "./council-round.ts";
import { type Recruitment, recruit } from "./recruitment.ts";

/** What the council remembers from round to round, besides the rounds themselves. */
export interface SoFar {
  /** Ids of requests and escalations that had their attempt. */
  readonly tried: ReadonlySet<string>;
  /** In US dollars. */
  readonly spent: number;
}

/** What a round's statements come to, before anybody is asked anything else. */
export interface Assessment {
  readonly convergence: Convergence;
  readonly requests: readonly InfoRequest[];
  readonly escalations: readonly Omit<Escalation, "ruling">[];
  readonly recruitments: readonly Recruitment[];
  /** Why there is no next round, whatever the arbiter says; undefined when there may be one. */
  readonly ending: Ending | undefined;
}

/** Reads a round: how far it agrees, what it asks for, and whether it is the last. */
export function assessRound(
  setup: CouncilSetup,
  agenda: Agenda,
  statements: readonly Statement[],
  soFar: SoFar,
): Assessment {
  const said = statements.map(({ persona, opinion }) => ({ by: persona, opinion }));
  const requests = newRequests(
    said.flatMap(({ by, opinion }) => opinion.infoNeeded.map((text) => ({ by, text }))),
    soFar.tried,
  );
  const escalations = said
    .flatMap(({ by, opinion }) => opinion.escalateTo.map(({ persona, why }) => ({ by, to: persona, why })))
    .filter((escalation) => !soFar.tried.has(escalationId(escalation)));
  const recruitments = recruit(
    said.flatMap(({ by, opinion }) => opinion.recruits.map((call) => ({ by, call }))),
    agenda.seats.map(({ name }) => name),
    setup,
  );
  const joining = recruitments.filter(({ outcome }) => outcome === "joins").length;
  const pending = requests.length + escalations.length + joining;
  const found = convergence(
    statements.map(({ opinion }) => opinion),
    pending,
    { threshold: setup.threshold.value, abstain: setup.abstain },
  );
  return {
    convergence: found,
    requests,
    escalations,
    recruitments,
    ending: endingOf(setup, agenda, statements, soFar, found),
  };
}

/** The same escalation by the same persona is heard once. */
export function escalationId({ by, to }: Pick<Escalation, "by" | "to">): string {
  return `${by} escalates to ${to}`;
}

function endingOf(
  setup: CouncilSetup,
  { round }: Agenda,
  statements: readonly Statement[],
  { spent }: SoFar,
  { converged, stalemate }: Convergence,
): Ending | undefined {
  const answered = statements.filter(({ failed }) => failed === undefined).length;
  if (answered === 0) return "all-failed";
  if (statements.some(({ failed }) => failed?.startsWith("OverBudget") === true)) return "cost-cap";
  if (answered < setup.quorum * statements.length) return "no-quorum";
  if (converged) return "converged";
  if (stalemate) return "stalemate";
  if (round >= setup.maxRounds.value) return "max-rounds";
  return setup.maxCost !== undefined && spent >= setup.maxCost ? "cost-cap" : undefined;
}
