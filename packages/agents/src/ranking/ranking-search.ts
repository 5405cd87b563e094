import type { Outcome, SearchProgress } from "@coppice/engine";
import { random } from "@coppice/engine";
import { ConsultationSearch, type Said, saidOnce } from "../consult/consultation-search.ts";
import type { ModelAnswer, Tuning } from "../models/consultation.ts";
import { type AnswerSummary, summaryOf } from "../models/money/totals.ts";
import {
  answerConsultation,
  chairConsultation,
  judgeConsultation,
  type Member,
  readRanking,
} from "./ranking-prompts.ts";

/** Everything that shapes a ranking; plain data, written down with the run. */
export interface RankingSetup {
  readonly question: string;
  readonly members: readonly Member[];
  /** The model that makes one answer of all. */
  readonly chair: string;
  readonly tuning: Tuning;
  /** Decides under which letters each judge sees the answers. */
  readonly seed: number;
}

export interface RankedMember extends Said {
  readonly name: string;
  readonly model: string;
  /** Of the places it was given, 1 is best; null when nobody ranked it. */
  readonly averageRank: number | null;
}

/** One member's judgement of all answers. */
export interface Judgement extends Said {
  readonly by: string;
  /** Names, best first; null when it could not be read. */
  readonly ranking: readonly string[] | null;
}

export interface RankingResult {
  readonly question: string;
  /** The one answer; that of the best-ranked member when the chair could not be asked. */
  readonly answer: string;
  readonly by: "chair" | "the best-ranked member" | "nobody";
  readonly members: readonly RankedMember[];
  readonly judgements: readonly Judgement[];
  readonly chair: Said;
  readonly summary: AnswerSummary;
}

/** Everybody answers; everybody ranks the answers of all, without names; the chair makes one of them. */
export class RankingSearch extends ConsultationSearch<RankingResult> {
  readonly #setup: RankingSetup;
  readonly #answers = new Map<number, Outcome<ModelAnswer>>();
  readonly #judgements = new Map<number, Outcome<ModelAnswer>>();
  #chair: Outcome<ModelAnswer> | undefined;

  constructor(setup: RankingSetup) {
    super();
    this.#setup = setup;
    const { members, question, tuning } = setup;
    for (const [index, member] of members.entries()) {
      this.consult(answerConsultation(member, question, tuning), index, (outcome) => {
        this.#answers.set(index, outcome);
        if (this.#answers.size === members.length) this.#judge();
      });
    }
  }

  /** Members who answered, by their index. */
  #answered(): number[] {
    return this.#setup.members.flatMap((_, index) => (this.#answers.get(index)?.ok === true ? [index] : []));
  }

  /** The answers in the order in which a judge sees them: a different one for each, so that no place is favoured. */
  #orderFor(judge: number): number[] {
    return random(this.#setup.seed).at("letters").at(judge).shuffle(this.#answered());
  }

  #judge(): void {
    const judges = this.#answered();
    // One answer needs no ranking, and none has nothing to rank.
    if (judges.length < 2) {
      this.#sumUp();
      return;
    }
    const { members, question, tuning } = this.#setup;
    for (const judge of judges) {
      const answers = this.#orderFor(judge).map((index, at) => ({ letter: letter(at), content: this.#content(index) }));
      this.consult(judgeConsultation(members[judge], question, answers, tuning), `judge ${judge}`, (outcome) => {
        this.#judgements.set(judge, outcome);
        if (this.#judgements.size === judges.length) this.#sumUp();
      });
    }
  }

  #sumUp(): void {
    const { chair, question, tuning } = this.#setup;
    const ranked = this.#ranked().filter(({ ok }) => ok);
    if (ranked.length < 2) return;
    this.consult(chairConsultation(chair, question, ranked, tuning), "chair", (outcome) => {
      this.#chair = outcome;
    });
  }

  #content(index: number): string {
    const outcome = this.#answers.get(index);
    return outcome?.ok === true ? outcome.value.content : "";
  }

  /** Indices of members, best first, as a judge ranked them. */
  #ranking(judge: number): number[] | undefined {
    const outcome = this.#judgements.get(judge);
    if (outcome?.ok !== true) return undefined;
    const order = this.#orderFor(judge);
    const letters = order.map((_, at) => letter(at));
    return readRanking(outcome.value.content, letters)?.map((each) => order[letters.indexOf(each)]);
  }

  /** Members, the best-ranked first; ties keep the order in which they were named. */
  #ranked(): RankedMember[] {
    const rankings = this.#answered().flatMap((judge) => {
      const ranking = this.#ranking(judge);
      return ranking === undefined ? [] : [ranking];
    });
    const members = this.#setup.members.map(({ name, model }, index): RankedMember => {
      const places = rankings.map((ranking) => ranking.indexOf(index) + 1).filter((place) => place > 0);
      const averageRank = places.length === 0 ? null : places.reduce((sum, place) => sum + place, 0) / places.length;
      return { name, model, averageRank, ...saidOnce(this.#answers.get(index)) };
    });
    const order = ({ averageRank }: RankedMember) => averageRank ?? Number.POSITIVE_INFINITY;
    return members.toSorted((a, b) => (order(a) === order(b) ? 0 : order(a) - order(b)));
  }

  result(): RankingResult {
    const members = this.#ranked();
    const names = this.#setup.members.map(({ name }) => name);
    const judgements = [...this.#judgements].map(([judge, outcome]): Judgement => {
      const ranking = this.#ranking(judge)?.map((index) => names[index]) ?? null;
      return { by: names[judge], ranking, ...saidOnce(outcome) };
    });
    const chair = saidOnce(this.#chair);
    const best = members.find(({ ok }) => ok);
    // Each waits for the one before.
    const steps = [members, judgements, this.#chair === undefined ? [] : [chair]];
    const ms = steps.reduce((sum, step) => sum + summaryOf(step).ms, 0);
    return {
      question: this.#setup.question,
      answer: chair.ok ? chair.content : (best?.content ?? ""),
      by: chair.ok ? "chair" : best === undefined ? "nobody" : "the best-ranked member",
      members,
      judgements,
      chair,
      summary: { ...summaryOf(steps.flat()), ms },
    };
  }

  progress(): SearchProgress {
    const { members } = this.#setup;
    return {
      levels: [
        { name: "Answers", done: this.#answers.size, total: members.length },
        { name: "Judgements", done: this.#judgements.size, total: members.length },
      ],
    };
  }
}

function letter(at: number): string {
  return String.fromCharCode(65 + at);
}
