import type { Problem } from "@coppice/search";
import { type Instance, wholeCapacity } from "../instance/instance.ts";
import type { PlanEvaluator } from "../network/plan-evaluator.ts";
import type { Plan } from "../network/regulation.ts";
import { HotHours } from "../planner/hot-hours.ts";
import { LEAST_BINS } from "../planner/regulation-sampler.ts";
import type { EpisodeOptions } from "./episode-options.ts";
import {
  canFinalize,
  type EpisodeAction,
  type EpisodeState,
  episodeKey,
  firstState,
  isOver,
  type Measure,
  measuresKey,
  stepEpisode,
} from "./episode-state.ts";

interface Offer {
  readonly volume: number;
  readonly fromBin: number;
  readonly toBin: number;
  readonly excess: number;
}

/** Small against one flight too many. */
const STOP_LOGIT = -2;

/**
 * Whole plans as one episode: pick a hotspot, choose flows, finalize, commit, and again. Hotspots are those of the
 * traffic as the plan so far delays it.
 */
export class EpisodeProblem implements Problem<EpisodeState, EpisodeAction> {
  readonly root = firstState;
  readonly #instance: Instance;
  readonly #evaluator: PlanEvaluator;
  readonly #options: EpisodeOptions;
  readonly #hot: HotHours;
  readonly #offers = new Map<string, readonly Offer[]>();
  readonly #rated = new Map<string, Plan>();

  constructor(instance: Instance, evaluator: PlanEvaluator, options: EpisodeOptions) {
    this.#instance = instance;
    this.#evaluator = evaluator;
    this.#options = options;
    this.#hot = new HotHours(instance, evaluator);
  }

  actions(state: EpisodeState): readonly EpisodeAction[] {
    const { draft, plan } = state;
    const stop: EpisodeAction = { kind: "Stop" };
    if (draft === undefined) {
      const picks = this.#offersAfter(plan).map(
        ({ volume, fromBin, toBin }): EpisodeAction => ({ kind: "PickHotspot", volume, fromBin, toBin }),
      );
      return [...picks, stop];
    }
    if (draft.finalized) return [{ kind: "CommitRegulation" }, stop];
    const actions: EpisodeAction[] = [];
    draft.flightCounts.forEach((count, flow) => {
      const chosen = (draft.flows & (1 << flow)) !== 0;
      if (count === 0 || draft.changed.includes(flow)) return;
      if (!chosen) actions.push({ kind: "AddFlow", flow });
      else if (draft.removalsUsed < this.#options.maxRemovals) actions.push({ kind: "RemoveFlow", flow });
    });
    // No repeated flow set for the same hotspot.
    const repeats = plan.some(
      (line) =>
        line.volume === draft.volume &&
        line.fromBin === draft.fromBin &&
        line.toBin === draft.toBin &&
        line.flows === draft.flows,
    );
    if (!repeats && canFinalize(draft, this.#options)) actions.push({ kind: "FinalizeRegulation" });
    if (this.#options.back) actions.push({ kind: "Back" });
    return [...actions, stop];
  }

  step(state: EpisodeState, action: EpisodeAction): EpisodeState {
    return stepEpisode(state, action, this.#options, ({ volume, fromBin, toBin }, plan) => {
      this.#goTo(this.ratedPlan(plan));
      return {
        flightCounts: this.#flightCounts(volume, fromBin, toBin),
        capacityEstimate: this.#capacity(volume, fromBin, toBin),
      };
    });
  }

  isTerminal(state: EpisodeState): boolean {
    return isOver(state, this.#options);
  }

  key(state: EpisodeState): string {
    return episodeKey(state, this.#options);
  }

  /** Hotspots by the logarithm of their excess, flows by that of their flights, little for Stop. */
  prior(state: EpisodeState, actions: readonly EpisodeAction[]): number[] {
    const offers = state.draft === undefined ? this.#offersAfter(state.plan) : [];
    return actions.map((action, a) => {
      if (action.kind === "PickHotspot") return Math.log(offers[a].excess);
      if (action.kind === "AddFlow") return Math.log(state.draft?.flightCounts[action.flow] ?? 1);
      if (action.kind === "Stop") return STOP_LOGIT;
      return action.kind === "RemoveFlow" || action.kind === "Back" ? 0 : 2;
    });
  }

  /** Cheap rates: each regulation gets its flows' share of the capacity, found line by line on the traffic before it. */
  ratedPlan(plan: readonly Measure[]): Plan {
    if (plan.length === 0) return [];
    const key = measuresKey(plan);
    const known = this.#rated.get(key);
    if (known !== undefined) return known;
    const before = this.ratedPlan(plan.slice(0, -1));
    const line = plan[plan.length - 1];
    this.#goTo(before);
    const counts = this.#flightCounts(line.volume, line.fromBin, line.toBin);
    const all = counts.reduce((sum, count) => sum + count, 0);
    const chosen = counts.reduce((sum, count, flow) => ((line.flows & (1 << flow)) === 0 ? sum : sum + count), 0);
    const capacity = this.#capacity(line.volume, line.fromBin, line.toBin);
    const share = all === 0 ? 1 : chosen / all;
    const rated = [...before, { ...line, ratePerHour: Math.max(1, Math.round(capacity * share)) }];
    this.#rated.set(key, rated);
    return rated;
  }

  /** Hotspots after a plan, worst first. */
  #offersAfter(plan: readonly Measure[]): readonly Offer[] {
    const key = measuresKey(plan);
    const known = this.#offers.get(key);
    if (known !== undefined) return known;
    this.#goTo(this.ratedPlan(plan));
    const { binCount } = this.#instance;
    const offers = this.#hot
      .runs()
      .toSorted((a, b) => b.excess - a.excess)
      .slice(0, this.#options.hotspots)
      .map(({ volume, fromBin, toBin, excess }) => {
        const from = Math.min(fromBin, binCount - LEAST_BINS);
        return { volume, fromBin: from, toBin: Math.min(binCount, Math.max(toBin, from + LEAST_BINS)), excess };
      });
    this.#offers.set(key, offers);
    return offers;
  }

  #goTo(plan: Plan): void {
    if (this.#evaluator.plan === plan || (plan.length === 0 && this.#evaluator.plan.length === 0)) return;
    this.#evaluator.evaluate(plan);
    this.#evaluator.keep();
  }

  #flightCounts(volume: number, fromBin: number, toBin: number): number[] {
    const counts = new Float64Array(32);
    this.#evaluator.countEntrants(volume, fromBin, toBin, counts);
    return [...counts.subarray(0, this.#instance.flowNames[volume].length)];
  }

  /** The least capacity of a rolling hour that starts in the window; without a limit the demand itself. */
  #capacity(volume: number, fromBin: number, toBin: number): number {
    const { binCount, capacity } = this.#instance;
    let least = Number.POSITIVE_INFINITY;
    for (let bin = fromBin; bin < toBin; bin++) {
      least = Math.min(least, wholeCapacity(capacity[volume * binCount + bin]));
    }
    return Number.isFinite(least) ? least : this.#flightCounts(volume, fromBin, toBin).reduce((a, b) => a + b, 0);
  }
}
