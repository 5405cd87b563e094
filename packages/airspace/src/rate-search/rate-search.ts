import type { Outcome, Proposal, Search, SearchProgress } from "@coppice/engine";
import type { Recent } from "./recent.ts";

/** Rates per hour, one per flow; null means no rate. Small and the same size whatever the traffic. */
export type RateVector = readonly (number | null)[];

/** A score that was asked for; the objective is missing until it is told. */
export interface KnownScore {
  objective: number | undefined;
}

export interface RateSearchTask {
  readonly flowIds: readonly string[];
  /** Entrants per flow: the busiest flow is tried first. */
  readonly entrants: readonly number[];
  /** Rates in the order they are tried. */
  readonly grid: readonly number[];
  /** Objective without any rate. */
  readonly baseline: number;
  readonly passes: number;
  readonly epsilon: number;
  readonly maxEvaluations: number;
  /** Scores of this and earlier searches. */
  readonly scores: Recent<KnownScore>;
  /** What the scores belong to: regulation, plan before it, mode. */
  readonly scoreKey: string;
}

export interface RateSearchResult {
  /** Per flow; Infinity is no rate. */
  readonly rates: readonly number[];
  readonly objective: number;
  readonly deltaJ: number;
  readonly passesRan: number;
  readonly passImprovements: readonly number[];
  readonly evaluations: number;
  readonly cacheHits: number;
  readonly stoppedEarly: boolean;
  /** Per flow: the last ΔJ seen at each rate. */
  readonly history: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** One flow's sweep over the grid, or the final confirmation. */
interface Batch {
  readonly scores: readonly KnownScore[];
  /** Vectors nobody knows yet, in grid order. */
  readonly unknown: { readonly vector: readonly number[]; readonly score: KnownScore; readonly key: string }[];
  proposed: number;
  readonly finish: () => void;
}

/**
 * Coordinate descent over rate vectors. One flow's whole grid is proposed together: its candidates share the other
 * flows' rates, so scores may arrive in any order and are compared in grid order, where only a strictly better one
 * is taken. Flows follow one another.
 */
export class RateSearch implements Search<RateVector, number, RateSearchResult> {
  readonly #task: RateSearchTask;
  readonly #flowOrder: readonly number[];
  readonly #keyOrder: readonly number[];
  readonly #limit: number;
  readonly #history: Map<string, Map<string, number>>;
  readonly #waiting = new Map<number, KnownScore>();
  readonly #improvements: number[] = [];
  #best: number[];
  #bestDelta = 0;
  #passStart = 0;
  #turn = 0;
  #asked = 0;
  #evaluations = 0;
  #hits = 0;
  #stoppedEarly = false;
  #batch: Batch | undefined;
  #final: KnownScore | undefined;
  #failure: string | undefined;

  constructor(task: RateSearchTask) {
    this.#task = task;
    const flows = task.flowIds.map((_, flow) => flow);
    const byId = (a: number, b: number) => (task.flowIds[a] < task.flowIds[b] ? -1 : 1);
    this.#flowOrder = flows.toSorted((a, b) => task.entrants[b] - task.entrants[a] || byId(a, b));
    this.#keyOrder = flows.toSorted(byId);
    this.#limit = Math.min(task.maxEvaluations, task.flowIds.length * (task.grid.length + 3));
    this.#history = new Map(task.flowIds.map((id) => [id, new Map()]));
    this.#best = flows.map(() => Number.POSITIVE_INFINITY);
    this.#batch = this.#sweep(this.#flowOrder[0]);
  }

  ask(): Proposal<RateVector> {
    for (;;) {
      const batch = this.#batch;
      if (batch === undefined || this.#failure !== undefined) return { kind: "done" };
      const next = batch.unknown[batch.proposed];
      if (next !== undefined) {
        batch.proposed++;
        this.#waiting.set(this.#asked++, next.score);
        return {
          kind: "candidate",
          candidate: next.vector.map((rate) => (rate < Number.POSITIVE_INFINITY ? rate : null)),
          key: next.key,
        };
      }
      if (this.#waiting.size > 0) return { kind: "wait" };
      batch.finish();
    }
  }

  tell(outcome: Outcome<number>, ask: number): void {
    const score = this.#waiting.get(ask);
    if (score === undefined) throw new Error(`ask ${ask} was not proposed`);
    this.#waiting.delete(ask);
    if (outcome.ok) score.objective = outcome.value;
    else this.#failure = `${outcome.failure.type}: ${outcome.failure.message}`;
  }

  result(): RateSearchResult {
    if (this.#failure !== undefined) throw new Error(`a rate vector could not be scored: ${this.#failure}`);
    if (this.#final?.objective === undefined) throw new Error("the rate search has not ended");
    return {
      rates: this.#best,
      objective: this.#final.objective,
      deltaJ: this.#final.objective - this.#task.baseline,
      passesRan: this.#improvements.length,
      passImprovements: this.#improvements,
      evaluations: this.#evaluations,
      cacheHits: this.#hits,
      stoppedEarly: this.#stoppedEarly,
      history: this.#history,
    };
  }

  progress(): SearchProgress {
    const flows = this.#flowOrder.length;
    return {
      levels: [
        { name: "Passes", done: this.#improvements.length, total: this.#task.passes },
        { name: "Flows", done: Math.min(this.#turn, flows), total: flows },
      ],
      best: this.#bestDelta,
    };
  }

  /** The current flow's grid on top of the best rates of the others. */
  #sweep(flow: number): Batch {
    const { grid, flowIds } = this.#task;
    const vectors = grid.map((rate) => this.#best.with(flow, rate));
    const history = this.#history.get(flowIds[flow]) ?? new Map<string, number>();
    return this.#lookUp(vectors, true, (scores) => {
      scores.forEach((score, i) => {
        const delta = this.#deltaOf(score);
        history.set(rateLabel(grid[i]), delta);
        if (delta < this.#bestDelta) {
          this.#bestDelta = delta;
          this.#best = vectors[i];
        }
      });
      this.#advance();
    });
  }

  /** The next flow, the next pass, or the end. */
  #advance(): void {
    const { passes, epsilon, baseline } = this.#task;
    this.#turn++;
    if (this.#turn < this.#flowOrder.length && !this.#stoppedEarly) {
      this.#batch = this.#sweep(this.#flowOrder[this.#turn]);
      return;
    }
    const improvement = this.#passStart - this.#bestDelta;
    this.#improvements.push(improvement);
    const settled = improvement <= epsilon * Math.max(1, Math.abs(baseline));
    if (settled || this.#stoppedEarly || this.#improvements.length >= passes) {
      this.#confirm();
      return;
    }
    this.#passStart = this.#bestDelta;
    this.#turn = 0;
    this.#batch = this.#sweep(this.#flowOrder[0]);
  }

  /** Gives flows without a rate the smallest one that costs nothing, and scores the result once more. */
  #confirm(): void {
    this.#best = this.#best.map((rate, flow) => (rate < Number.POSITIVE_INFINITY ? rate : this.#freeRate(flow)));
    this.#batch = this.#lookUp([this.#best], false, ([score]) => {
      this.#final = score;
      this.#batch = undefined;
    });
  }

  #freeRate(flow: number): number {
    const { flowIds, grid } = this.#task;
    const tolerance = Math.max(1e-6, Math.abs(this.#bestDelta) * 1e-6);
    const history = this.#history.get(flowIds[flow]);
    const tried = grid.flatMap((rate) => {
      const delta = rate < Number.POSITIVE_INFINITY ? history?.get(rateLabel(rate)) : undefined;
      return delta === undefined ? [] : [{ rate, delta }];
    });
    const bestTried = tried.reduce((best, { delta }) => Math.min(best, delta), Number.POSITIVE_INFINITY);
    if (bestTried > this.#bestDelta + tolerance) return Number.POSITIVE_INFINITY;
    const free = tried.filter(({ delta }) => delta <= bestTried + tolerance && delta <= this.#bestDelta + tolerance);
    return free.reduce((smallest, { rate }) => Math.min(smallest, rate), Number.POSITIVE_INFINITY);
  }

  /** Finds known scores and counts hits and evaluations as if vectors were scored one after the other. */
  #lookUp(
    vectors: readonly (readonly number[])[],
    counted: boolean,
    finish: (scores: readonly KnownScore[]) => void,
  ): Batch {
    const unknown: Batch["unknown"] = [];
    const scores = vectors.map((vector) => {
      const key = this.#keyOrder.map((flow) => rateLabel(vector[flow])).join(",");
      const scoreKey = `${this.#task.scoreKey}|${key}`;
      const known = this.#task.scores.find(scoreKey);
      // A score nobody told, and that is not on its way here, was left by a search that was broken off.
      if (known !== undefined && (known.objective !== undefined || unknown.some(({ score }) => score === known))) {
        this.#hits++;
        return known;
      }
      if (counted && ++this.#evaluations >= this.#limit) this.#stoppedEarly = true;
      const score = known ?? this.#task.scores.add(scoreKey, { objective: undefined });
      unknown.push({ vector, score, key });
      return score;
    });
    return { scores, unknown, proposed: 0, finish: () => finish(scores) };
  }

  #deltaOf(score: KnownScore): number {
    if (score.objective === undefined) throw new Error("a rate vector was compared before it was scored");
    return score.objective - this.#task.baseline;
  }
}

/** A rate as the published histories name it: "inf", "18.0", "2.5". */
export function rateLabel(ratePerHour: number): string {
  if (ratePerHour === Number.POSITIVE_INFINITY) return "inf";
  return Number.isInteger(ratePerHour) ? `${ratePerHour}.0` : String(ratePerHour);
}
