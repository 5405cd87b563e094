import type { Instance } from "../../instance/instance.ts";
import { HourSlack } from "../hours/hour-slack.ts";
import { compareWithDemand, type NetworkScore, priced } from "../network-score.ts";
import type { Plan } from "../regulation.ts";
import type { Weights } from "../weights.ts";
import { KeptLines } from "./kept-lines.ts";

/** What released evaluators of a day were made of: to make it anew takes as long as hundreds of evaluations, compiling for it even longer. */
const released = new WeakMap<Instance, { readonly hours: HourSlack; readonly lines: KeptLines }[]>();

/**
 * Scores plans by what they change in the plan that was last kept: {@link KeptLines} finds the flights whose delay differs,
 * {@link HourSlack} moves only those and looks only at the rolling hours they leave or enter. An evaluation changes nothing
 * that the kept plan's state is made of, so there is nothing to undo.
 *
 * Hot loops run on preallocated typed arrays; `scoreFromScratch` is the slow twin that tests compare with.
 */
export class PlanEvaluator {
  /** How often an objective was computed. */
  evaluations = 0;
  /** May be changed between evaluations: nothing that is kept depends on it. */
  weights: Weights;

  readonly #instance: Instance;
  readonly #hours: HourSlack;
  readonly #draws: number;
  /** Whether there is but the day's own capacity. */
  readonly #ofTheDay: boolean;
  readonly #lines: KeptLines;
  #keptDelayMinutes = 0;

  #trialPlan: Plan | undefined;
  /** Whether what the lines of the trial plan do was noted, so that it can be kept. */
  #noted = false;

  /** Exceedance is the mean over the draws of the capacity that are given; by default there is one, the day's own. */
  constructor(instance: Instance, weights: Weights, draws: readonly Float64Array[] = [instance.capacity]) {
    this.#instance = instance;
    this.#draws = draws.length;
    this.#ofTheDay = draws.length === 1 && draws[0] === instance.capacity;
    this.weights = weights;
    const left = this.#ofTheDay ? released.get(instance)?.pop() : undefined;
    this.#hours = left?.hours ?? new HourSlack(instance, draws);
    this.#lines = left?.lines ?? new KeptLines(instance);
  }

  /** Lets the next evaluator of the day have what this one is made of; it must not be used any more. */
  release(): void {
    if (!this.#ofTheDay) return;
    this.goTo([]);
    const parts = { hours: this.#hours, lines: this.#lines };
    const others = released.get(this.#instance);
    if (others === undefined) released.set(this.#instance, [parts]);
    else others.push(parts);
  }

  /** The plan that evaluations start from. */
  get plan(): Plan {
    return this.#lines.plan;
  }

  /**
   * What a plan costs. The kept plan stays; `keep` makes this one the plan that the next evaluations start from.
   *
   * Most plans that a search asks for are not wanted, which is clear before all of their cost is known: a plan that costs
   * more than `most` may be given a lower cost, but one above `most`, and cannot be kept. That counts as one evaluation.
   * One that was stopped like this before is `known` and counted again only if it is wanted now: so a search counts as if
   * every evaluation went to its end.
   */
  evaluate(plan: Plan, most = Number.POSITIVE_INFINITY, known = false): NetworkScore {
    this.evaluations++;
    this.#trialPlan = plan;
    const { weights } = this;
    const priceFlows = weights.regularity > 0 || weights.smoothness > 0 || weights.share > 0;
    this.#noted = priceFlows;
    this.#lines.serve(plan, priceFlows);

    const count = this.#order();
    const delayMinutes = this.#keptDelayMinutes + this.#lines.minutesLater;
    const regulations = plan.length;
    const limited = most < Number.POSITIVE_INFINITY && !priceFlows;
    if (limited) {
      const exceedance = this.#hours.leastExceedanceAfter(count) / this.#draws;
      const least = priced({ exceedance, delayMinutes, regulations, ...noFlowTerms }, weights);
      if (least.objective > most) {
        this.#trialPlan = undefined;
        if (known) this.evaluations--;
        return least;
      }
    }
    // What gets here in spite of a limit is nearly always kept.
    const exceedance = this.#hours.exceedanceAfter(count, limited) / this.#draws;
    const { regularity, smoothness, share } = priceFlows ? this.#flowTerms(plan) : noFlowTerms;
    const score = priced({ exceedance, delayMinutes, regulations, regularity, smoothness, share }, weights);
    if (known && score.objective > most) this.evaluations--;
    return score;
  }

  /** Makes the plan last evaluated the one that the next evaluations start from. */
  keep(): void {
    if (this.#trialPlan === undefined) throw new Error("keep() needs an evaluation before it");
    this.#moveTo(this.#trialPlan);
  }

  /** Keeps a plan to look at its traffic. Its objective is not computed, so this counts as no evaluation. */
  goTo(plan: Plan): void {
    this.#noted = false;
    this.#hours.drop();
    this.#moveTo(plan);
  }

  /** Forgets the evaluation: it cannot be kept any more. */
  discard(): void {
    this.#trialPlan = undefined;
  }

  /** Flights above capacity in the rolling hour that starts with a bin, under the kept plan; not above 0 if there are none. */
  over(volume: number, bin: number): number {
    return this.#hours.over(volume, bin) / this.#draws;
  }

  /** The first bin from `fromBin` on that is above capacity under the kept plan; -1 if there is none. */
  nextOver(volume: number, fromBin: number): number {
    return this.#hours.nextOver(volume, fromBin, this.#instance.binCount);
  }

  /** Sum of what is above capacity in a volume, under the kept plan. */
  exceedanceOf(volume: number): number {
    return this.#hours.exceedanceOf(volume) / this.#draws;
  }

  /** Adds to `counts[flow]` the flights that first enter a volume in bins [fromBin, toBin) as the kept plan delays them. */
  countEntrants(volume: number, fromBin: number, toBin: number, counts: Float64Array): void {
    const { binMinutes } = this.#instance;
    this.#lines.countEntrants(volume, fromBin * binMinutes, toBin * binMinutes, counts);
  }

  #moveTo(plan: Plan): void {
    if (!this.#noted) this.#lines.serve(plan, true);
    this.#hours.move(this.#order());
    this.#lines.keep(plan);
    this.#keptDelayMinutes += this.#lines.minutesLater;
    this.#trialPlan = undefined;
  }

  /** Says which flights the plan that was served moves; returns how many. */
  #order(): number {
    return this.#lines.order(this.#hours.orders);
  }

  /** Regularity, smoothness and share of the trial plan's lines; only run while they have a price. */
  #flowTerms(plan: Plan): ReturnType<typeof compareWithDemand> {
    const { binCount, binMinutes } = this.#instance;
    const wanted = new Int32Array(plan.length * binCount);
    const released = new Int32Array(plan.length * binCount);
    const count = (bins: Int32Array, k: number, minute: number) => {
      const bin = Math.floor(minute / binMinutes);
      if (bin >= 0 && bin < binCount) bins[k * binCount + bin]++;
    };
    this.#lines.eachSlot(plan, (k, wish, wait) => {
      count(wanted, k, wish);
      count(released, k, wish + wait);
    });
    return compareWithDemand(plan, wanted, released, binCount, this.weights);
  }
}

const noFlowTerms = { regularity: 0, smoothness: 0, share: 0 };
