import type { Outcome, Proposal, Search, SearchProgress } from "@coppice/engine";
import type { PopulationResult, PopulationSearch } from "./population-search.ts";
import type { Scoring, Segment, SegmentValue } from "./segment.ts";

/** One of several populations, and how it scores its plans. */
export interface ScoredPopulation {
  readonly name: string;
  readonly search: PopulationSearch;
  readonly scoring: Scoring;
}

/**
 * Populations that search side by side in one run and know nothing of each other. What they ask is the same for any number
 * of workers, because the engine tells in the order of the asks; so is what is made of their results.
 */
export class SeveralPopulations<Result> implements Search<Segment, SegmentValue, Result> {
  readonly #members: readonly ScoredPopulation[];
  readonly #conclude: (results: readonly PopulationResult[]) => Result;
  /** Whose each ask was that has not been told. */
  readonly #asked: ScoredPopulation[] = [];

  constructor(members: readonly ScoredPopulation[], conclude: (results: readonly PopulationResult[]) => Result) {
    this.#members = members;
    this.#conclude = conclude;
  }

  ask(): Proposal<Segment> {
    let waiting = false;
    for (const member of this.#members) {
      const { name, search, scoring } = member;
      const proposal = search.ask();
      if (proposal.kind === "candidate") {
        this.#asked.push(member);
        return { ...proposal, candidate: { ...proposal.candidate, scoring }, key: `${name}/${proposal.key}` };
      }
      waiting ||= proposal.kind === "wait";
    }
    return { kind: waiting ? "wait" : "done" };
  }

  tell(outcome: Outcome<SegmentValue>): void {
    this.#asked.shift()?.search.tell(outcome);
  }

  result(): Result {
    return this.#conclude(this.#members.map(({ search }) => search.result()));
  }

  progress(): SearchProgress {
    const all = this.#members.map(({ name, search }) => ({ name, ...search.progress() }));
    const sum = (of: (each: SearchProgress) => number | undefined) =>
      all.reduce((total, each) => total + (of(each) ?? 0), 0);
    return {
      levels: [
        { name: "Rounds", done: sum(({ levels }) => levels?.[0].done), total: sum(({ levels }) => levels?.[0].total) },
      ],
      counted: { done: sum(({ counted }) => counted?.done), total: sum(({ counted }) => counted?.total) },
      says: all.flatMap(({ name, best }) => (best === undefined ? [] : [`${name}: best J ${best.toFixed(1)}`])),
    };
  }
}
