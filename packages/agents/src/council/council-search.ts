import type { Outcome, Proposal, Search, SearchProgress } from "@coppice/engine";
import { AskDesk } from "../consult/ask-desk.ts";
import { type CouncilCandidate, type CouncilNews, type CouncilValue, keyed, lookUp, newsOf } from "./candidate.ts";
import { type CouncilResult, councilResult, type Speculation } from "./council-result.ts";
import type { CouncilSetup } from "./council-setup.ts";
import { type InfoAnswer, type InfoRequest, preparedAnswer } from "./look-up/info-request.ts";
import { Purse } from "./purse.ts";
import { type Agenda, agendaOf } from "./round/agenda.ts";
import { arbiterConsultation } from "./round/arbiter-prompt.ts";
import { type Assessment, assessRound, escalationId } from "./round/assess-round.ts";
import {
  answers,
  closedRound,
  type Ending,
  known,
  needsNoArbiter,
  type OpenRound,
  openRound,
  type Round,
  type Statement,
  statementCost,
  statementOf,
} from "./round/council-round.ts";
import { settleRound, uneventful } from "./round/settle-round.ts";
import { readSynthesis, type Synthesis, statistics } from "./round/synthesis.ts";

/** Why an ask is out. */
type Awaited =
  | { readonly what: "statement"; readonly agenda: Agenda; readonly seat: number }
  | { readonly what: "info"; readonly index: number }
  | { readonly what: "synthesis"; readonly model: string };

/**
 * Personas in rounds until they converge, an arbiter after each. A round is a set of asks and its end a wait; requests
 * for information and the synthesis follow, and with `speculate` the next round too, as it will be if the arbiter changes
 * nothing. Speculative asks wait behind the synthesis, so that what is told, and in which order, is the same
 * with and without speculation.
 */
export class CouncilSearch implements Search<CouncilCandidate, CouncilValue, CouncilResult> {
  readonly #setup: CouncilSetup;
  readonly #rounds: Round[] = [];
  readonly #tried = new Set<string>();
  readonly #purse: Purse;
  readonly #desk = new AskDesk<CouncilCandidate, Awaited>();
  #open: OpenRound;
  #ahead: Agenda | undefined;
  #ended: Ending | undefined;
  readonly speculation: Speculation = { started: 0, kept: 0, discarded: 0 };

  constructor(setup: CouncilSetup) {
    this.#setup = setup;
    this.#purse = new Purse(setup.maxCost);
    this.#open = openRound(agendaOf(setup, setup.seats, []));
    this.#propose(this.#open.agenda);
  }

  ask(): Proposal<CouncilCandidate> {
    return this.#desk.next() ?? { kind: this.#ended === undefined ? "wait" : "done" };
  }

  tell(told: Outcome<CouncilValue>, ask: number): void {
    const awaited = this.#desk.answered(ask);
    const outcome = newsOf(told);
    this.#purse.pay(outcome);
    switch (awaited.what) {
      case "statement":
        this.#hear(awaited, outcome);
        return;
      case "info":
        this.#learn(awaited.index, outcome);
        return;
      case "synthesis":
        this.#sumUp(awaited.model, outcome);
        return;
      default:
        awaited satisfies never;
    }
  }

  result(): CouncilResult {
    return councilResult(this.#setup, {
      rounds: this.#rounds,
      seats: this.#open.agenda.seats,
      ended: this.#ended ?? "unfinished",
      totals: this.#purse.totals,
    });
  }

  /** Rounds that are over. */
  get rounds(): readonly Round[] {
    return this.#rounds;
  }

  progress(): SearchProgress {
    const { statements } = this.#open;
    const heard = statements.filter((statement) => statement !== undefined).length;
    // A council that agrees early is over, not a part of the way.
    const total = this.#ended === undefined ? this.#setup.maxRounds.value : Math.max(1, this.#rounds.length);
    return {
      levels: [
        { name: "Rounds", done: this.#rounds.length, total },
        { name: "Statements", done: heard, total: statements.length },
      ],
    };
  }

  // ── a round ───────────────────────────────────────────────────────────────────────────────────────────────

  #propose(agenda: Agenda): void {
    for (const [seat, asked] of agenda.asked.entries()) this.#desk.propose(asked, { what: "statement", agenda, seat });
  }

  #hear({ agenda, seat }: Extract<Awaited, { what: "statement" }>, outcome: Outcome<CouncilNews>): void {
    this.#open.statements[seat] = statementOf(agenda, seat, outcome);
    const statements = this.#open.statements.filter((statement) => statement !== undefined);
    if (statements.length === agenda.seats.length) this.#assess(statements);
  }

  /** Everybody has spoken: ask what is to be asked before the next round. */
  #assess(statements: readonly Statement[]): void {
    const soFar = { tried: this.#tried, spent: this.#purse.spent };
    const assessment = assessRound(this.#setup, this.#open.agenda, statements, soFar);
    this.#open.assessment = assessment;
    for (const { id } of assessment.requests) this.#tried.add(id);
    for (const escalation of assessment.escalations) this.#tried.add(escalationId(escalation));
    this.#open.info = assessment.requests.map((request, index) => this.#gather(request, index, assessment));
    if (needsNoArbiter(assessment.ending)) {
      this.#settle(statistics(assessment.convergence, []));
      return;
    }
    this.#askArbiter();
    this.#lookAhead();
  }

  /** Answers a request from what is prepared, or has it looked up. */
  #gather(request: InfoRequest, index: number, { ending }: Assessment): InfoAnswer | undefined {
    const { lookUp: may } = this.#setup;
    const { id, text, kind } = request;
    const prepared = preparedAnswer(text, this.#setup.answers);
    if (prepared !== undefined) return { id, text, answer: prepared, from: "prepared answers" };
    if (ending !== undefined) return { id, text, answer: null, from: "not looked up: the council had ended" };
    if (!may[kind]) return { id, text, answer: null, from: kind === "code" ? "no code to search" : "nobody to ask" };
    this.#desk.propose(lookUp(request), { what: "info", index });
    return undefined;
  }

  #learn(index: number, outcome: Outcome<CouncilNews>): void {
    const request = this.#open.assessment?.requests[index];
    if (request === undefined) return;
    const { id, text } = request;
    this.#open.info[index] =
      outcome.ok && outcome.value.kind === "found"
        ? { id, text, answer: outcome.value.answer, from: outcome.value.from }
        : { id, text, answer: null, from: outcome.ok ? "" : outcome.failure.message };
    this.#lookAhead();
  }

  // ── the arbiter ───────────────────────────────────────────────────────────────────────────────────────────

  /** Its own model, that model again, the fallback. */
  #arbiterModels(): readonly string[] {
    const { model, fallback } = this.#setup.arbiter;
    return fallback === undefined ? [model, model] : [model, model, fallback];
  }

  #askArbiter(): void {
    const { assessment, trouble } = this.#open;
    const model = this.#arbiterModels()[trouble.length];
    if (assessment === undefined || model === undefined) return;
    const consultation = arbiterConsultation(this.#setup, model, this.#open, assessment, this.#rounds);
    this.#desk.propose(keyed(consultation, `attempt ${trouble.length}`), { what: "synthesis", model });
  }

  #sumUp(model: string, outcome: Outcome<CouncilNews>): void {
    const { assessment, trouble } = this.#open;
    if (assessment === undefined) return;
    const read = outcome.ok && outcome.value.kind === "model" ? readSynthesis(outcome.value.content) : undefined;
    if (read !== undefined) {
      const by = trouble.length < 2 ? "arbiter" : "fallback";
      this.#settle({ ...read, by, model, trouble: [...trouble] });
      return;
    }
    const what = outcome.ok ? "a reply without a verdict" : `${outcome.failure.type}: ${outcome.failure.message}`;
    trouble.push(`${model}: ${what}`);
    if (trouble.length === this.#arbiterModels().length) {
      this.#settle(statistics(assessment.convergence, trouble));
      return;
    }
    // What was started early goes behind the new attempt; asked again at once, it just runs on.
    const ahead = this.#ahead;
    if (ahead !== undefined) this.#withdraw(ahead);
    this.#askArbiter();
    if (ahead !== undefined) this.#propose(ahead);
  }

  /** The round is over: the council rises, or goes into the next. */
  #settle(synthesis: Synthesis): void {
    const { agenda, assessment } = this.#open;
    if (assessment === undefined) return;
    const settlement = settleRound(this.#setup, agenda.seats, assessment, answers(this.#open), synthesis);
    this.#rounds.push(closedRound(this.#open, settlement, needsNoArbiter(assessment.ending) ? null : synthesis));
    this.#ended = settlement.ended ?? (this.#purse.empty ? "cost-cap" : undefined);
    if (this.#ended === undefined) this.#enter(agendaOf(this.#setup, settlement.seats, this.#rounds));
    else this.#discard();
  }

  #enter(next: Agenda): void {
    if (this.#ahead?.context === next.context) {
      this.speculation.kept++;
      this.#open = openRound(this.#ahead);
      this.#ahead = undefined;
      return;
    }
    this.#discard();
    this.#open = openRound(next);
    this.#propose(next);
  }

  // ── one round ahead ───────────────────────────────────────────────────────────────────────────────────────

  /** Starts the next round as it will be if nothing more is found out and the arbiter changes nothing; or keeps to it. */
  #lookAhead(): void {
    const { assessment, agenda, info } = this.#open;
    if (!this.#setup.speculate || assessment === undefined) return;
    const guess = settleRound(this.#setup, agenda.seats, assessment, answers(this.#open), uneventful);
    const earlier = [...this.#rounds, closedRound(this.#open, guess, null)];
    const next = guess.ended === undefined ? agendaOf(this.#setup, guess.seats, earlier) : undefined;
    if (this.#ahead !== undefined && this.#ahead.context !== next?.context) this.#discard();
    // Answers that are still to come would only change the context again.
    const unsettled = info.includes(undefined) && known(this.#open).length > 0;
    if (next === undefined || this.#ahead !== undefined || unsettled) return;
    if (!this.#purse.affords(statementCost(this.#open))) return;
    this.#ahead = next;
    this.speculation.started++;
    this.#propose(next);
  }

  #discard(): void {
    if (this.#ahead === undefined) return;
    this.speculation.discarded++;
    this.#purse.waste(statementCost(this.#open));
    this.#withdraw(this.#ahead);
    this.#ahead = undefined;
  }

  #withdraw(agenda: Agenda): void {
    this.#desk.withdraw((awaited) => awaited.what === "statement" && awaited.agenda === agenda);
  }
}
