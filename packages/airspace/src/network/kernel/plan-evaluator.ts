import type { Instance } from "../../instance/instance.ts";
import { compareWithDemand, type NetworkScore, priced } from "../network-score.ts";
import { MAX_DELAY_MINUTES, type Plan, type Regulation, sameRegulation } from "../regulation.ts";
import type { Weights } from "../weights.ts";
import { Arrivals } from "./arrivals.ts";
import { ChangedFlights } from "./changed-flights.ts";
import { type FirstVisits, firstVisitsOf, lowerBound } from "./first-visits.ts";
import { HourSlack } from "./hour-slack.ts";
import { LineMarks } from "./line-marks.ts";
import { serveArrivals, serveAtOtherRate, serveMerged } from "./serve-queue.ts";
import { SlotQueue } from "./slot-queue.ts";
import { Wishes } from "./wishes.ts";

/** A line of the kept plan and what it did. */
interface Line {
  readonly regulation: Regulation;
  readonly visits: FirstVisits;
  readonly queue: SlotQueue;
  /** Marks the flights that this line may ever serve; 0 if there was no bit left. */
  readonly bit: number;
  /** Delay of every flight after this line. */
  readonly delay: Int16Array;
}

/** What an evaluated plan's line did differently; `from..to` of the kept queue becomes `start..end` of the trial queue. */
interface Step {
  readonly regulation: Regulation;
  readonly visits: FirstVisits;
  /** The kept line this continues; undefined for a line the kept plan does not have. */
  readonly line: Line | undefined;
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
  /** When the queue is free after the last flight of `start..end`. */
  readonly free: number;
  /** Flights whose delay after a kept line differs: a range of the change log. */
  readonly changesStart: number;
  readonly changesEnd: number;
}

/**
 * Scores plans by what they change in the plan that was last kept. Delays are known after every line, so an edit
 * replays only the lines after it, and of those only the part of the queue that meets a changed flight; only changed
 * flights move, and only the rolling hours they leave or enter are looked at. An evaluation changes nothing that the
 * kept plan's state is made of, so there is nothing to undo.
 *
 * Hot loops run on preallocated typed arrays; `scoreFromScratch` is the slow twin that tests compare with.
 */
export class PlanEvaluator {
  /** How often an objective was computed. */
  evaluations = 0;
  readonly weights: Weights;

  readonly #instance: Instance;
  readonly #firstVisits: (volume: number) => FirstVisits;
  readonly #hours: HourSlack;
  readonly #undelayed: Int16Array;
  #lines: Line[] = [];
  /** Columns of lines that were taken out, for lines to come. */
  readonly #spare: Pick<Line, "queue" | "delay">[] = [];
  readonly #marks: LineMarks;
  #plan: Plan = [];
  #keptDelayMinutes = 0;

  readonly #changes: ChangedFlights;
  readonly #wishes: Wishes;
  readonly #joining = new Arrivals();
  /** The first minute at which a queue meets a changed flight. */
  #earliest = 0;
  readonly #trial = new SlotQueue();
  /** Whether the lines of the trial plan are noted in `#steps`; most evaluations are never kept. */
  #noting = false;
  #steps: Step[] = [];
  #trialPlan: Plan | undefined;
  #trialDelayMinutes = 0;

  constructor(instance: Instance, weights: Weights) {
    const flightCount = instance.flightIds.length;
    this.#instance = instance;
    this.weights = weights;
    this.#firstVisits = firstVisitsOf(instance);
    this.#hours = new HourSlack(instance);
    this.#undelayed = new Int16Array(flightCount);
    this.#marks = new LineMarks(flightCount, instance.binMinutes);
    this.#changes = new ChangedFlights(flightCount, this.#marks);
    this.#wishes = new Wishes(instance.binMinutes);
  }

  /** The plan that evaluations start from. */
  get plan(): Plan {
    return this.#plan;
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
    this.#serve(plan, priceFlows);

    const finalDelay = this.#delayAfter(this.#lines.length - 1);
    const { flight, count, delay } = this.#changes;
    const regulations = plan.length;
    if (most < Number.POSITIVE_INFINITY && !priceFlows) {
      const exceedance = this.#hours.leastExceedanceAfter(flight, count, finalDelay, delay);
      const delayMinutes = this.#keptDelayMinutes + this.#hours.minutesLater;
      const least = priced({ exceedance, delayMinutes, regulations, ...noFlowTerms }, weights);
      if (least.objective > most) {
        this.#trialPlan = undefined;
        if (known) this.evaluations--;
        return least;
      }
    }
    const exceedance = this.#hours.exceedanceAfter(flight, count, finalDelay, delay);
    const delayMinutes = this.#keptDelayMinutes + this.#hours.minutesLater;
    this.#trialDelayMinutes = delayMinutes;
    const { regularity, smoothness, share } = priceFlows ? this.#flowTerms(plan) : noFlowTerms;
    const score = priced({ exceedance, delayMinutes, regulations, regularity, smoothness, share }, weights);
    if (known && score.objective > most) this.evaluations--;
    return score;
  }

  /** Makes the plan last evaluated the one that the next evaluations start from. */
  keep(): void {
    if (this.#trialPlan === undefined) throw new Error("keep() needs an evaluation before it");
    if (!this.#noting) this.#serve(this.#trialPlan, true);
    const { flight, count, delay } = this.#changes;
    this.#hours.move(flight, count, this.#delayAfter(this.#lines.length - 1), delay);
    const prefix = this.#trialPlan.length - this.#steps.length;
    const lines = this.#lines.slice(0, prefix);
    const continued = this.#steps.reduce((count, step) => (step.line === undefined ? count : count + 1), 0);
    for (const line of this.#lines.slice(prefix, this.#lines.length - continued)) {
      this.#marks.release(line.regulation, line.visits, line.bit);
      this.#spare.push(line);
    }
    for (const step of this.#steps) lines.push(this.#keepStep(step, lines.at(-1)?.delay ?? this.#undelayed));
    this.#lines = lines;
    this.#plan = this.#trialPlan;
    this.#keptDelayMinutes = this.#trialDelayMinutes;
    this.#trialPlan = undefined;
  }

  /** Forgets the evaluation: it cannot be kept any more. */
  discard(): void {
    this.#trialPlan = undefined;
  }

  /** Flights above capacity in the rolling hour that starts with a bin, under the kept plan; negative below it. */
  over(volume: number, bin: number): number {
    return this.#hours.over(volume, bin);
  }

  /** Sum of what is above capacity in a volume, under the kept plan. */
  exceedanceOf(volume: number): number {
    return this.#hours.exceedanceOf(volume);
  }

  /** Adds to `counts[flow]` the flights that first enter a volume in bins [fromBin, toBin) as the kept plan delays them. */
  countEntrants(volume: number, fromBin: number, toBin: number, counts: Float64Array): void {
    const { flight, minute, flowBit } = this.#firstVisits(volume);
    const delay = this.#delayAfter(this.#lines.length - 1);
    const from = fromBin * this.#instance.binMinutes;
    const to = toBin * this.#instance.binMinutes;
    const last = lowerBound(minute, minute.length, to);
    for (let i = lowerBound(minute, minute.length, from - MAX_DELAY_MINUTES); i < last; i++) {
      const wish = minute[i] + delay[flight[i]];
      if (wish >= from && wish < to) counts[31 - Math.clz32(flowBit[i])]++;
    }
  }

  /** Applies a plan to the traffic as far as it differs from the kept one; notes what each line does only if asked. */
  #serve(plan: Plan, noting: boolean): void {
    this.#noting = noting;
    this.#steps = [];
    this.#trial.count = 0;
    this.#changes.clear();

    const kept = this.#plan;
    const shorter = Math.min(kept.length, plan.length);
    let prefix = 0;
    while (prefix < shorter && sameRegulation(kept[prefix], plan[prefix])) prefix++;
    let suffix = 0;
    while (suffix < shorter - prefix && sameRegulation(kept[kept.length - 1 - suffix], plan[plan.length - 1 - suffix]))
      suffix++;

    const resumeAt = kept.length - suffix;
    if (resumeAt !== prefix + 1 || plan.length !== kept.length || !this.#alter(prefix, plan[prefix])) {
      const before = this.#delayAfter(prefix - 1);
      for (let k = prefix; k < plan.length - suffix; k++) this.#insert(plan[k], before);
      if (resumeAt > prefix) this.#dropKept(prefix, resumeAt, before);
    }
    for (let k = resumeAt; k < kept.length; k++) this.#replay(k);
  }

  #delayAfter(line: number): Int16Array {
    return line < 0 ? this.#undelayed : this.#lines[line].delay;
  }

  /** Where slots are noted, if they are. */
  get #slots(): SlotQueue | undefined {
    return this.#noting ? this.#trial : undefined;
  }

  /** Serves a kept line with one thing about it altered, from its queue; false if too much is different for that. */
  #alter(k: number, regulation: Regulation): boolean {
    const { regulation: was, queue, visits } = this.#lines[k];
    if (regulation.volume !== was.volume) return false;
    const sameStart = regulation.fromBin === was.fromBin;
    const sameEnd = regulation.toBin === was.toBin;
    const sameFlows = regulation.flows === was.flows;
    if (sameStart && sameEnd && sameFlows) {
      serveAtOtherRate(regulation.ratePerHour, queue, this.#changes, this.#slots);
      this.#endStep(regulation, visits, undefined, 0, 0, 0);
      return true;
    }
    // What is noted must be a whole queue, because the line is another one.
    if (this.#noting || regulation.ratePerHour !== was.ratePerHour) return false;
    const { flows } = regulation;
    if (sameEnd && sameFlows) this.#refit(k, regulation, { fromBin: regulation.fromBin, toBin: was.fromBin, flows });
    else if (sameStart && sameFlows) this.#refit(k, regulation, { fromBin: was.toBin, toBin: regulation.toBin, flows });
    else if (sameStart && sameEnd) this.#refit(k, regulation, { ...regulation, flows: flows & ~was.flows });
    else return false;
    return true;
  }

  /** Serves a kept line with other flights: those of `added` join its queue, and those not in the altered line leave it. */
  #refit(k: number, regulation: Regulation, added: Pick<Regulation, "fromBin" | "toBin" | "flows">): void {
    const { queue, visits, delay: after, regulation: was } = this.#lines[k];
    const before = this.#delayAfter(k - 1);
    const changes = this.#changes;
    const joining = this.#joining;
    joining.count = 0;
    if (added.fromBin < added.toBin && added.flows !== 0) {
      this.#wishes.gather(added, visits, before, before === this.#undelayed, changes, joining);
    }
    let earliest = joining.count > 0 ? joining.minute[0] : Number.POSITIVE_INFINITY;
    for (let i = 0; i < joining.count; i++) changes.add(joining.flight[i], before[joining.flight[i]]);

    const from = lowerBound(queue.wish, queue.count, regulation.fromBin * this.#instance.binMinutes);
    const to = lowerBound(queue.wish, queue.count, regulation.toBin * this.#instance.binMinutes);
    const fewerFlows = (was.flows & ~regulation.flows) !== 0;
    let leaving = 0;
    for (let i = 0; i < queue.count; i++) {
      const f = queue.flight[i];
      if (i >= from && i < to) {
        if (!fewerFlows) {
          i = to - 1;
          continue;
        }
        if ((visits.flowBitOf[f] & regulation.flows) !== 0) continue;
      }
      changes.add(f, MAX_DELAY_MINUTES - queue.room[i]);
      if (leaving++ === 0) earliest = Math.min(earliest, queue.wish[i]);
    }
    changes.metCount = changes.count;
    for (let s = 0; s < changes.count; s++) changes.met[s] = s;
    this.#remerge(regulation, queue, earliest, leaving, after);
  }

  /** Serves a line the kept plan does not have, on top of `before` and the changes so far. */
  #insert(regulation: Regulation, before: Int16Array): void {
    const visits = this.#firstVisits(regulation.volume);
    const start = this.#trial.count;
    this.#wishes.gather(regulation, visits, before, before === this.#undelayed, this.#changes, this.#joining);
    serveArrivals(regulation.ratePerHour, this.#joining, before, this.#changes, this.#slots);
    this.#endStep(regulation, visits, undefined, 0, 0, start);
  }

  /** Takes out kept lines [first, end): changes are from here on against the delay after the last of them. */
  #dropKept(first: number, end: number, before: Int16Array): void {
    const after = this.#lines[end - 1].delay;
    const changes = this.#changes;
    const { flight: changed, bits, mark, delay: now, epoch } = changes;
    let count = 0;
    for (let s = 0; s < changes.count; s++) {
      const f = changed[s];
      // Not in the set any more, and not to be put back by what follows.
      if (now[f] === after[f]) mark[f] = -epoch;
      else {
        bits[count] = bits[s];
        changed[count++] = f;
      }
    }
    changes.count = count;
    for (let k = first; k < end; k++) {
      const { flight, wait, count: served } = this.#lines[k].queue;
      for (let i = 0; i < served; i++) {
        if (wait[i] === 0) continue;
        const f = flight[i];
        if (mark[f] !== epoch && mark[f] !== -epoch && before[f] !== after[f]) changes.add(f, before[f]);
      }
    }
  }

  /** Serves a kept line again where a changed flight joins, leaves or moves in its queue; ends where nothing differs any more. */
  #replay(k: number): void {
    const line = this.#lines[k];
    const { regulation, visits, queue, delay } = line;
    const start = this.#trial.count;
    const leaving = this.#meet(line, this.#delayAfter(k - 1));
    if (leaving + this.#joining.count === 0) {
      this.#endStep(regulation, visits, line, 0, 0, start);
      return;
    }
    const { resumed, stopped } = this.#remerge(regulation, queue, this.#earliest, leaving, delay);
    this.#endStep(regulation, visits, line, resumed, stopped, start);
  }

  /** Serves a kept queue from `earliest` on without the flights leaving it and with those joining it. */
  #remerge(
    { ratePerHour }: Regulation,
    queue: SlotQueue,
    earliest: number,
    leaving: number,
    after: Int16Array,
  ): { readonly resumed: number; readonly stopped: number } {
    const resumed = lowerBound(queue.wish, queue.count, earliest);
    const stopped = serveMerged(ratePerHour, queue, resumed, leaving, this.#joining, this.#changes, this.#slots);
    this.#changes.dropEqual(after);
    return { resumed, stopped };
  }

  /** Finds the changed flights that join a kept line's queue, sorted, and counts those that leave their place in it. */
  #meet({ regulation, visits, bit }: Line, before: Int16Array): number {
    const { minuteOf } = visits;
    const { flight: changed, delay: now, met } = this.#changes;
    const metCount = this.#changes.meet(bit, regulation.flows, visits.flowBitOf);
    const joining = this.#joining;
    joining.count = 0;
    joining.reserve(metCount);
    const { flight: joinFlight, minute: joinMinute } = joining;
    const from = regulation.fromBin * this.#instance.binMinutes;
    const to = regulation.toBin * this.#instance.binMinutes;
    let leaving = 0;
    let joined = 0;
    let earliest = Number.POSITIVE_INFINITY;
    for (let m = 0; m < metCount; m++) {
      const f = changed[met[m]];
      const minute = minuteOf[f];
      const was = minute + before[f];
      const is = minute + now[f];
      if (was >= from && was < to) {
        leaving++;
        if (was < earliest) earliest = was;
      }
      if (is >= from && is < to) {
        joinFlight[joined] = f;
        joinMinute[joined++] = is;
        if (is < earliest) earliest = is;
      }
    }
    joining.count = joined;
    if (joined > 0) joining.sort(from, to);
    this.#earliest = earliest;
    return leaving;
  }

  /** Notes what a line did, and the changes after it. */
  #endStep(
    regulation: Regulation,
    visits: FirstVisits,
    line: Line | undefined,
    from: number,
    to: number,
    start: number,
  ): void {
    if (!this.#noting) return;
    const previous = this.#steps.at(-1);
    let changesStart = this.#changes.noted;
    if (line !== undefined) {
      const untouched = from === to && start === this.#trial.count;
      if (untouched && previous?.line !== undefined) changesStart = previous.changesStart;
      else this.#changes.note();
    }
    const end = this.#trial.count;
    const free = this.#trial.free[end];
    const changesEnd = this.#changes.noted;
    this.#steps.push({ regulation, visits, line, from, to, start, end, free, changesStart, changesEnd });
  }

  /** Regularity, smoothness and share of the trial plan's lines; only run while they have a price. */
  #flowTerms(plan: Plan): ReturnType<typeof compareWithDemand> {
    const prefix = plan.length - this.#steps.length;
    const { binCount, binMinutes } = this.#instance;
    const wanted = new Int32Array(plan.length * binCount);
    const released = new Int32Array(plan.length * binCount);
    const count = (k: number, queue: SlotQueue, from: number, to: number): void => {
      for (let i = from; i < to; i++) {
        const wish = Math.floor(queue.wish[i] / binMinutes);
        if (wish >= 0 && wish < binCount) wanted[k * binCount + wish]++;
        const release = Math.floor((queue.wish[i] + queue.wait[i]) / binMinutes);
        if (release >= 0 && release < binCount) released[k * binCount + release]++;
      }
    };
    for (let k = 0; k < plan.length; k++) {
      const step = this.#steps[k - prefix];
      const line = k < prefix ? this.#lines[k] : step.line;
      if (line !== undefined) {
        count(k, line.queue, 0, k < prefix ? line.queue.count : step.from);
        if (k >= prefix) count(k, line.queue, step.to, line.queue.count);
      }
      if (k >= prefix) count(k, this.#trial, step.start, step.end);
    }
    return compareWithDemand(plan, wanted, released, binCount, this.weights);
  }

  #keepStep(step: Step, before: Int16Array): Line {
    const trial = this.#trial;
    if (step.line === undefined) {
      const { regulation, visits, start, end } = step;
      const { queue, delay } = this.#spare.pop() ?? { queue: new SlotQueue(), delay: new Int16Array(before.length) };
      queue.splice(0, queue.count, trial, start, end);
      queue.free[queue.count] = step.free;
      delay.set(before);
      for (let i = start; i < end; i++) delay[trial.flight[i]] += trial.wait[i];
      return { regulation, visits, queue, delay, bit: this.#marks.take(regulation, visits) };
    }
    const { queue, delay } = step.line;
    if (step.from < step.to || step.start < step.end) {
      const toTheEnd = step.to === queue.count;
      queue.splice(step.from, step.to, trial, step.start, step.end);
      if (toTheEnd) queue.free[queue.count] = step.free;
    }
    const { notedFlight, notedDelay } = this.#changes;
    for (let c = step.changesStart; c < step.changesEnd; c++) delay[notedFlight[c]] = notedDelay[c];
    return step.line;
  }
}

const noFlowTerms = { regularity: 0, smoothness: 0, share: 0 };
