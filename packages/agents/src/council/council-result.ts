import type { CallTotals } from "../models/money/totals.ts";
import type { Verdict } from "../replies/reply.ts";
import type { CouncilSetup, Seat } from "./council-setup.ts";
import type { ConvergenceRule } from "./round/convergence.ts";
import type { Ending, Round } from "./round/council-round.ts";
import type { Synthesis } from "./round/synthesis.ts";
import type { CouncilPace } from "./round/timekeeper.ts";

/** The result's file in a run's directory, written again after every round. */
export const RECORD = "council.json";

interface Dissent {
  readonly persona: string;
  readonly verdict: Verdict;
  readonly confidence: number;
  readonly conviction: number;
  readonly reasoning: string;
  readonly blockers: readonly string[];
}

/** What a council ends with: its verdict, who decided, and everything that was said on the way. */
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
  readonly settings: CouncilPace & { readonly quorum: number; readonly abstain: ConvergenceRule["abstain"] };
  readonly minority: readonly Dissent[];
  readonly personas: readonly string[];
  readonly rounds: readonly Round[];
  /** Of what was told to the council; speculation that came to nothing is not in here. */
  readonly totals: CallTotals;
}

/** How often the next round was started early, and what became of it. */
export interface Speculation {
  started: number;
  kept: number;
  discarded: number;
}

/** What a council's file has beside its result, which is the same with and without speculation. */
export interface RecordedCouncil extends CouncilResult {
  /** Of a council that speculates. */
  readonly speculation?: Speculation;
}

type CouncilEnd = Pick<CouncilResult, "rounds" | "ended" | "totals"> & { readonly seats: readonly Seat[] };

/** Endings without a verdict that deserves the name. */
const withoutGround: readonly Ending[] = ["all-failed", "no-quorum", "cost-cap", "unfinished"];

/** What the council decided, by whom, and everything that speaks against relying on it. */
export function councilResult(setup: CouncilSetup, { rounds, seats, ended, totals }: CouncilEnd): CouncilResult {
  const last = rounds.at(-1);
  // Without a quorum in the last round, the last synthesis there was is still the best that is known.
  const summed = rounds.findLast(({ synthesis }) => synthesis !== null)?.synthesis ?? undefined;
  const verdict = ended === "all-failed" ? null : (summed?.verdict ?? last?.convergence.verdict ?? null);
  const decidedBy = summed?.by ?? "statistics";
  return {
    proposal: setup.proposal,
    ended,
    verdict,
    confidence: summed?.confidence ?? Math.round((last?.convergence.ratio ?? 0) * 100),
    reasoning: summed?.reasoning ?? "",
    decidedBy,
    degraded: decidedBy === "statistics" || withoutGround.includes(ended) || failuresIn(last) > 0,
    labels: labelsOf(setup, ended, last, summed?.by, verdict),
    settings: {
      maxRounds: setup.maxRounds,
      threshold: setup.threshold,
      quorum: setup.quorum,
      abstain: setup.abstain,
    },
    minority: last === undefined ? [] : minorityOf(last, verdict),
    personas: seats.map(({ name }) => name),
    rounds,
    totals,
  };
}

/** Members who were of a different mind to the end, in their own words. */
function minorityOf({ statements }: Round, decided: Verdict | null): Dissent[] {
  return statements.flatMap(({ persona, opinion, failed }) => {
    const { verdict, confidence, conviction, reasoning, blockers } = opinion;
    if (failed !== undefined || verdict === null || verdict === "ABSTAIN" || verdict === decided) return [];
    return [{ persona, verdict, confidence, conviction, reasoning, blockers }];
  });
}

function labelsOf(
  setup: CouncilSetup,
  ended: Ending,
  last: Round | undefined,
  by: string | undefined,
  verdict: Verdict | null,
): string[] {
  const labels: string[] = [];
  const share = `${Math.round((last?.convergence.ratio ?? 0) * 100)} %`;
  const say = (condition: boolean, text: string) => condition && labels.push(text);
  say(ended === "all-failed", `failed: no member of the council could be asked: ${reasonsIn(last)}`);
  say(
    ended === "no-quorum",
    `no quorum: ${failuresIn(last)} of ${last?.statements.length ?? 0} members did not answer: ${reasonsIn(last)}`,
  );
  say(ended === "unfinished", "unfinished: the council was stopped before it had decided");
  say(ended === "cost-cap", `cost cap of $${setup.maxCost} reached before the council had converged`);
  say(ended === "stalemate", `stalemate: divided (${share} for the leading verdict) and not convinced`);
  say(ended === "max-rounds", `not converged after ${setup.maxRounds.value} rounds (${share} for the leading verdict)`);
  say(by === "statistics", "degraded: the arbiter could not be asked; the verdict is a count of weights");
  say(by === undefined && ended !== "all-failed", "degraded: no arbiter has judged the arguments");
  say(by === "fallback", "the arbiter's own model failed; its fallback spoke");
  const failed = failuresIn(last);
  say(
    failed > 0 && ended !== "no-quorum" && ended !== "all-failed",
    `${failed} of ${last?.statements.length} members could not be asked in the last round: ${reasonsIn(last)}`,
  );
  const prose = last?.statements.filter((each) => each.failed === undefined && each.opinion.form === "prose") ?? [];
  say(
    prose.length > 0,
    `prose without a verdict that could be read: ${prose.map(({ persona }) => persona).join(", ")}`,
  );
  const leading = last?.convergence.verdict ?? null;
  say(
    verdict !== null && leading !== null && verdict !== leading && (last?.convergence.ratio ?? 0) > 0.5,
    `the arbiter decides ${verdict} against the weight of ${leading} (${share})`,
  );
  return labels;
}

function failuresIn(round: Round | undefined): number {
  return round?.statements.filter(({ failed }) => failed !== undefined).length ?? 0;
}

/** Why members could not be asked, each reason once. */
function reasonsIn(round: Round | undefined): string {
  const failed = round?.statements.flatMap(({ failed: why }) => why ?? []) ?? [];
  return [...new Set(failed)]
    .map((why) => {
      const count = failed.filter((each) => each === why).length;
      return count === 1 ? why : `${why} (${count} times)`;
    })
    .join("; ");
}
