import { timed } from "@coppice/engine/evaluator";
import { Mcts, type PriorNoise, type Problem } from "@coppice/search";
import { type Instance, wholeCapacity } from "../instance/instance.ts";
import type { PlanEvaluator } from "../network/kernel/plan-evaluator.ts";
import { type Measure, type Plan, samePlace } from "../network/regulation.ts";
import { defaultWeights } from "../network/weights.ts";
import { HotHours } from "../proposals/hot-hours.ts";
import { LEAST_BINS } from "../proposals/regulation-sampler.ts";
import { Recent } from "../rate-search/recent.ts";
import type { EpisodeOptions } from "./episode-options.ts";
import {
  canFinalize,
  chosenFlights,
  type EpisodeAction,
  type EpisodeState,
  episodeKey,
  firstState,
  isOver,
  measuresKey,
  stepEpisode,
} from "./episode-state.ts";

/** A hotspot that can be picked. */
export interface HotspotOffer {
  readonly volume: number;
  readonly fromBin: number;
  readonly toBin: number;
  readonly excess: number;
}

/** Hotspots of a plan's traffic. */
interface Hotspots {
  /** Those offered, worst first. */
  readonly offers: readonly HotspotOffer[];
  /** Flights above capacity, over all. */
  readonly excess: number;
}

/** Where episodes begin: after regulations that are decided, or with a hotspot already picked. */
export interface EpisodeStart {
  readonly before?: Plan;
  readonly hotspot?: HotspotOffer;
}

/** Plans whose hotspots and rates are remembered: those of the last few hundred episodes. */
const REMEMBERED = 4096;

/** Small against one flight too many. */
const STOP_LOGIT = -2;

/**
 * Whole plans as one episode: pick a hotspot, choose flows, finalize, commit, and again. Hotspots are those of the
 * traffic as the plan so far delays it.
 */
export class EpisodeProblem implements Problem<EpisodeState, EpisodeAction> {
  readonly root: EpisodeState;
  readonly options: EpisodeOptions;
  /** How often each kind of action was taken. */
  readonly actionCounts: Record<string, number> = {};
  readonly #instance: Instance;
  readonly #evaluator: PlanEvaluator;
  readonly #hot: HotHours;
  readonly #before: Plan;
  readonly #hotspots = new Recent<Hotspots>(REMEMBERED);
  readonly #rated = new Recent<Plan>(REMEMBERED);

  constructor(instance: Instance, evaluator: PlanEvaluator, options: EpisodeOptions, start: EpisodeStart = {}) {
    this.#instance = instance;
    this.#evaluator = evaluator;
    this.options = options;
    this.#hot = new HotHours(instance, evaluator);
    this.#before = start.before ?? [];
    this.root = start.hotspot === undefined ? firstState : this.step(firstState, pickOf(start.hotspot));
  }

  /** Hotspots of the traffic before the episode, worst first. */
  hotspots(): readonly HotspotOffer[] {
    return this.#after([]).offers;
  }

  actions(state: EpisodeState): readonly EpisodeAction[] {
    const { draft, measures } = state;
    const stop: readonly EpisodeAction[] = this.#mayStop(state) ? [{ kind: "Stop" }] : [];
    if (draft === undefined) return [...this.#after(measures).offers.map(pickOf), ...stop];
    if (draft.finalized) return [{ kind: "CommitRegulation" }, ...stop];
    const actions: EpisodeAction[] = [];
    draft.flightCounts.forEach((count, flow) => {
      const chosen = (draft.flows & (1 << flow)) !== 0;
      if (count === 0 || draft.changed.includes(flow)) return;
      if (!chosen) actions.push({ kind: "AddFlow", flow });
      else if (draft.removalsUsed < this.options.maxRemovals) actions.push({ kind: "RemoveFlow", flow });
    });
    // No repeated flow set for the same hotspot, and no flow of it that is regulated there already.
    const repeats =
      measures.some((line) => samePlace(line, draft) && line.flows === draft.flows) ||
      this.#before.some((line) => samePlace(line, draft) && (line.flows & draft.flows) !== 0);
    if (!repeats && canFinalize(draft, this.options)) actions.push({ kind: "FinalizeRegulation" });
    if (this.options.back) actions.push({ kind: "Back" });
    return [...actions, ...stop];
  }

  /** Stopping at once is the empty plan, which is known, and stopping at a draft the same end as before it. */
  #mayStop({ draft, measures }: EpisodeState): boolean {
    const { stop } = this.options;
    return stop === "anywhere" || (stop === "committed" && draft === undefined && measures.length > 0);
  }

  step(state: EpisodeState, action: EpisodeAction): EpisodeState {
    this.actionCounts[action.kind] = (this.actionCounts[action.kind] ?? 0) + 1;
    return stepEpisode(state, action, this.options, ({ volume, fromBin, toBin }, measures) => {
      this.#goTo(this.ratedPlan(measures));
      return {
        flightCounts: this.#flightCounts(volume, fromBin, toBin),
        capacityEstimate: this.#capacity(volume, fromBin, toBin),
      };
    });
  }

  isTerminal(state: EpisodeState): boolean {
    return isOver(state, this.options);
  }

  key(state: EpisodeState): string {
    return episodeKey(state, this.options);
  }

  /** Hotspots by the logarithm of their excess, flows by that of their flights; each class has its temperature. */
  prior(state: EpisodeState, actions: readonly EpisodeAction[]): number[] {
    const { hotspot, flow, other } = this.options.temperature;
    const offers = state.draft === undefined ? this.#after(state.measures).offers : [];
    return actions.map((action, a) => {
      if (action.kind === "PickHotspot") return Math.log(offers[a].excess) / hotspot;
      if (action.kind === "AddFlow") return Math.log(state.draft?.flightCounts[action.flow] ?? 1) / flow;
      if (action.kind === "Stop") return this.#stopLogit(offers) / other;
      return action.kind === "RemoveFlow" || action.kind === "Back" ? 0 : 2 / other;
    });
  }

  /**
   * Little at the usual price of delay, where long plans pay. Where a minute costs n times as much they hardly ever do, so
   * that stopping after a regulation is n - 1 times as likely as all hotspots together.
   */
  #stopLogit(offers: readonly HotspotOffer[]): number {
    if (this.options.stop !== "committed") return STOP_LOGIT;
    const dearer = Math.max(0, this.#evaluator.weights.delayMinute / defaultWeights.delayMinute - 1);
    return Math.max(STOP_LOGIT, Math.log(dearer * offers.reduce((sum, { excess }) => sum + excess, 0)));
  }

  /** Where a hotspot is picked, and where flows can be chosen. */
  noise({ draft }: EpisodeState): PriorNoise | undefined {
    const { hotspot, flow } = this.options.noise;
    const noise = draft === undefined ? hotspot : draft.finalized ? undefined : flow;
    return noise === undefined || noise.share === 0 ? undefined : noise;
  }

  /** Cheap rates: each regulation gets its flows' share of the capacity, found line by line on the traffic before it. */
  ratedPlan(measures: readonly Measure[]): Plan {
    if (measures.length === 0) return this.#before;
    const key = measuresKey(measures);
    const known = this.#rated.find(key);
    if (known !== undefined) return known;
    const before = this.ratedPlan(measures.slice(0, -1));
    const line = measures[measures.length - 1];
    this.#goTo(before);
    const counts = this.#flightCounts(line.volume, line.fromBin, line.toBin);
    const all = counts.reduce((sum, count) => sum + count, 0);
    const chosen = counts.reduce((sum, count, flow) => ((line.flows & (1 << flow)) === 0 ? sum : sum + count), 0);
    const capacity = this.#capacity(line.volume, line.fromBin, line.toBin);
    const share = all === 0 ? 1 : chosen / all;
    const rated = [...before, { ...line, ratePerHour: Math.max(1, Math.round(capacity * share)) }];
    return this.#rated.add(key, rated);
  }

  /**
   * What is still above capacity, as a part of what was at first, less the part of the picked hotspot that the chosen
   * flows are responsible for.
   */
  potential({ measures, draft }: EpisodeState): number {
    const { excess, offers } = this.#after(measures);
    const first = this.#after([]).excess;
    if (first === 0) return 0;
    if (draft === undefined) return -excess / first;
    const picked = offers.find((offer) => samePlace(offer, draft));
    const flights = draft.flightCounts.reduce((sum, count) => sum + count, 0);
    const share = flights === 0 ? 0 : chosenFlights(draft) / flights;
    return -(excess - share * (picked?.excess ?? 0)) / first;
  }

  /** Hotspots after some measures. */
  #after(measures: readonly Measure[]): Hotspots {
    const key = measuresKey(measures);
    const known = this.#hotspots.find(key);
    if (known !== undefined) return known;
    this.#goTo(this.ratedPlan(measures));
    return this.#hotspots.add(
      key,
      timed("agent.hotspot_inventory", () => this.#findHotspots()),
    );
  }

  #findHotspots(): Hotspots {
    const { binCount } = this.#instance;
    const runs = this.#hot.runs();
    const offers = runs
      .toSorted((a, b) => b.excess - a.excess)
      .slice(0, this.options.hotspots)
      .map(({ volume, fromBin, toBin, excess }) => {
        const from = Math.min(fromBin, binCount - LEAST_BINS);
        return { volume, fromBin: from, toBin: Math.min(binCount, Math.max(toBin, from + LEAST_BINS)), excess };
      });
    return { offers, excess: runs.reduce((sum, { excess }) => sum + excess, 0) };
  }

  #goTo(plan: Plan): void {
    if (this.#evaluator.plan === plan || (plan.length === 0 && this.#evaluator.plan.length === 0)) return;
    this.#evaluator.goTo(plan);
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

function pickOf({ volume, fromBin, toBin }: HotspotOffer): EpisodeAction {
  return { kind: "PickHotspot", volume, fromBin, toBin };
}

export interface EpisodeTreeOptions {
  readonly seed: number;
  /** Ends of episodes that may be out for evaluation at once. */
  readonly window: number;
  /** Ends of episodes that may be evaluated, those that are out included. */
  readonly evaluations: number;
}

export type EpisodeTree = Mcts<EpisodeState, EpisodeAction>;

/** The tree that episodes are searched with, whoever evaluates their ends: playouts to the end, mean values, least wins. */
export function episodeTree(problem: EpisodeProblem, { seed, window, evaluations }: EpisodeTreeOptions): EpisodeTree {
  const { exploration, widening, rootNoise, phi } = problem.options;
  return new Mcts(problem, {
    seed,
    goal: "minimise",
    window,
    exploration,
    playout: "prior",
    knownEnds: "once",
    shaping: phi,
    widening,
    ...(rootNoise.share === 0 ? {} : { noise: rootNoise }),
    budget: { evaluations },
  });
}
