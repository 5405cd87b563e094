import type { Instance } from "../instance/instance.ts";
import { Arrivals } from "./arrivals.ts";
import { type FirstVisits, firstVisitsOf, lowerBound } from "./first-visits.ts";
import { compareWithDemand } from "./flow-terms.ts";
import { HourSlack } from "./hour-slack.ts";
import { type NetworkScore, priced } from "./network-score.ts";
import { MAX_DELAY_MINUTES, type Plan, type Regulation, sameRegulation } from "./regulation.ts";
import { waitMinutes } from "./slot.ts";
import { SlotQueue } from "./slot-queue.ts";
import type { Weights } from "./weights.ts";

/** A line of the kept plan and what it did. */
interface Line {
  readonly regulation: Regulation;
  readonly visits: FirstVisits;
  readonly queue: SlotQueue;
  /** Marks the flights that this line may ever serve in `#servedBy`; 0 if there was no bit left. */
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
 * flights move, and only the rolling hours they leave or enter touch the objective.
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
  /** Bits of the kept lines that may serve a flight, whatever its delay. */
  readonly #servedBy: Int32Array;
  #freeBits = -1;
  #plan: Plan = [];
  #keptDelayMinutes = 0;

  /** The flights whose delay differs from the kept plan at the current line: `#mark[f] === #epoch`, delay `#now[f]`. */
  readonly #changed: Int32Array;
  #changedCount = 0;
  readonly #mark: Int32Array;
  readonly #now: Int16Array;
  #epoch = 0;

  readonly #joining = new Arrivals();
  readonly #delayed = new Arrivals();
  readonly #trial = new SlotQueue();
  #steps: Step[] = [];
  #trialPlan: Plan | undefined;
  #trialDelayMinutes = 0;
  #changeFlight = new Int32Array(1024);
  #changeDelay = new Int16Array(1024);
  #changeEnd = 0;

  constructor(instance: Instance, weights: Weights) {
    const flightCount = instance.flightIds.length;
    this.#instance = instance;
    this.weights = weights;
    this.#firstVisits = firstVisitsOf(instance);
    this.#hours = new HourSlack(instance);
    this.#undelayed = new Int16Array(flightCount);
    this.#servedBy = new Int32Array(flightCount);
    this.#changed = new Int32Array(flightCount);
    this.#mark = new Int32Array(flightCount);
    this.#now = new Int16Array(flightCount);
  }

  /** The plan that evaluations start from. */
  get plan(): Plan {
    return this.#plan;
  }

  /** What a plan costs. The kept plan stays; `keep` makes this one the plan that the next evaluations start from. */
  evaluate(plan: Plan): NetworkScore {
    this.evaluations++;
    if (this.#trialPlan !== undefined) this.#hours.undo();
    this.#trialPlan = plan;
    this.#steps = [];
    this.#trial.count = 0;
    this.#changeEnd = 0;
    this.#changedCount = 0;
    this.#epoch++;

    const kept = this.#plan;
    const shorter = Math.min(kept.length, plan.length);
    let prefix = 0;
    while (prefix < shorter && sameRegulation(kept[prefix], plan[prefix])) prefix++;
    let suffix = 0;
    while (suffix < shorter - prefix && sameRegulation(kept[kept.length - 1 - suffix], plan[plan.length - 1 - suffix]))
      suffix++;

    const before = this.#delayAfter(prefix - 1);
    const resumeAt = kept.length - suffix;
    if (resumeAt === prefix + 1 && plan.length === kept.length && sameFlights(kept[prefix], plan[prefix])) {
      this.#serveAtOtherRate(plan[prefix], this.#lines[prefix], before);
    } else {
      for (let k = prefix; k < plan.length - suffix; k++) this.#insert(plan[k], before);
      if (resumeAt > prefix) this.#dropKept(prefix, resumeAt, before);
    }
    for (let k = resumeAt; k < kept.length; k++) this.#replay(k);

    const finalDelay = this.#delayAfter(kept.length - 1);
    const delayMinutes =
      this.#keptDelayMinutes + this.#hours.move(this.#changed, this.#changedCount, finalDelay, this.#now);
    this.#trialDelayMinutes = delayMinutes;
    const { weights } = this;
    const flowTerms =
      weights.regularity > 0 || weights.smoothness > 0 || weights.share > 0
        ? this.#flowTerms(plan, prefix)
        : noFlowTerms;
    const { regularity, smoothness, share } = flowTerms;
    const { exceedance } = this.#hours;
    const regulations = plan.length;
    return priced({ exceedance, delayMinutes, regulations, regularity, smoothness, share }, weights);
  }

  /** Makes the plan last evaluated the one that the next evaluations start from. */
  keep(): void {
    if (this.#trialPlan === undefined) throw new Error("keep() needs an evaluation before it");
    const prefix = this.#trialPlan.length - this.#steps.length;
    const lines = this.#lines.slice(0, prefix);
    const continued = this.#steps.reduce((count, step) => (step.line === undefined ? count : count + 1), 0);
    for (const line of this.#lines.slice(prefix, this.#lines.length - continued)) this.#releaseBit(line);
    for (const step of this.#steps) lines.push(this.#keepStep(step, lines.at(-1)?.delay ?? this.#undelayed));
    this.#lines = lines;
    this.#plan = this.#trialPlan;
    this.#keptDelayMinutes = this.#trialDelayMinutes;
    this.#trialPlan = undefined;
    this.#hours.keep();
  }

  /** Forgets the evaluation: the kept plan's counts are in force again. */
  discard(): void {
    if (this.#trialPlan === undefined) return;
    this.#trialPlan = undefined;
    this.#hours.undo();
  }

  /** Marks the flights a line may ever serve with a bit of its own. */
  #takeBit(regulation: Regulation, visits: FirstVisits): number {
    const bit = this.#freeBits & -this.#freeBits;
    this.#freeBits ^= bit;
    const [first, end] = this.#reach(regulation, visits);
    for (let i = first; i < end; i++) {
      if ((visits.flowBit[i] & regulation.flows) !== 0) this.#servedBy[visits.flight[i]] |= bit;
    }
    return bit;
  }

  #releaseBit({ regulation, visits, bit }: Line): void {
    const [first, end] = this.#reach(regulation, visits);
    for (let i = first; i < end; i++) this.#servedBy[visits.flight[i]] &= ~bit;
    this.#freeBits |= bit;
  }

  /** The first visits that some delay brings into the window. */
  #reach({ fromBin, toBin }: Regulation, { minute }: FirstVisits): readonly [number, number] {
    const { binMinutes } = this.#instance;
    const first = lowerBound(minute, minute.length, fromBin * binMinutes - MAX_DELAY_MINUTES);
    return [first, lowerBound(minute, minute.length, toBin * binMinutes)];
  }

  #delayAfter(line: number): Int16Array {
    return line < 0 ? this.#undelayed : this.#lines[line].delay;
  }

  /** Serves the flights of a kept line at another rate; changes are against the delay after that line. */
  #serveAtOtherRate(regulation: Regulation, line: Line, before: Int16Array): void {
    const { queue, delay: after } = line;
    const { count } = queue;
    const trial = this.#trial;
    trial.reserve(count);
    trial.flight.set(queue.flight.subarray(0, count));
    trial.wish.set(queue.wish.subarray(0, count));
    trial.count = count;
    const { flight, wish, free: freeBefore, wait } = trial;
    const mark = this.#mark;
    const now = this.#now;
    const epoch = this.#epoch;
    const changed = this.#changed;
    let changedCount = 0;
    const gap = 60 / regulation.ratePerHour;
    let free = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      const f = flight[i];
      const x = wish[i];
      let delay = before[f];
      let extra = 0;
      freeBefore[i] = free;
      if (x >= free) free = x + gap;
      else {
        extra = waitMinutes(free, x);
        if (extra > MAX_DELAY_MINUTES - delay) extra = MAX_DELAY_MINUTES - delay;
        free += gap;
      }
      wait[i] = extra;
      delay += extra;
      if (delay === after[f]) continue;
      now[f] = delay;
      mark[f] = epoch;
      changed[changedCount++] = f;
    }
    freeBefore[count] = free;
    this.#changedCount = changedCount;
    this.#endStep(regulation, line.visits, undefined, 0, 0, 0);
  }

  /** Serves a line the kept plan does not have, on top of `before` and the changes so far. */
  #insert(regulation: Regulation, before: Int16Array): void {
    const visits = this.#firstVisits(regulation.volume);
    const start = this.#trial.count;
    this.#gatherWishes(regulation, visits, before);
    this.#serveAll(regulation, before, start);
    this.#endStep(regulation, visits, undefined, 0, 0, start);
  }

  /** Appends the flights of a line to the trial queue, sorted by (wish, flight). */
  #gatherWishes(regulation: Regulation, visits: FirstVisits, before: Int16Array): void {
    const { flight, minute, flowBit } = visits;
    const mark = this.#mark;
    const now = this.#now;
    const epoch = this.#epoch;
    const from = regulation.fromBin * this.#instance.binMinutes;
    const to = regulation.toBin * this.#instance.binMinutes;
    const mostDelay = before === this.#undelayed && this.#changedCount === 0 ? 0 : MAX_DELAY_MINUTES;
    const first = lowerBound(minute, minute.length, from - mostDelay);
    const late = this.#delayed;
    late.count = 0;
    const last = lowerBound(minute, minute.length, to);
    late.reserve(last - first);
    const onTime = this.#joining;
    onTime.count = 0;
    onTime.reserve(last - first);
    let lateCount = 0;
    let onTimeCount = 0;
    for (let i = first; i < last; i++) {
      if ((flowBit[i] & regulation.flows) === 0) continue;
      const f = flight[i];
      const delay = mark[f] === epoch ? now[f] : before[f];
      const x = minute[i] + delay;
      if (x < from || x >= to) continue;
      if (delay === 0) {
        onTime.flight[onTimeCount] = f;
        onTime.minute[onTimeCount++] = x;
      } else {
        late.flight[lateCount] = f;
        late.minute[lateCount++] = x;
      }
    }
    late.count = lateCount;
    late.sort(from, to);
    const trial = this.#trial;
    trial.reserve(lateCount + onTimeCount);
    let at = trial.count;
    let a = 0;
    let b = 0;
    while (a < lateCount || b < onTimeCount) {
      const takeLate =
        b >= onTimeCount ||
        (a < lateCount &&
          (late.minute[a] < onTime.minute[b] ||
            (late.minute[a] === onTime.minute[b] && late.flight[a] < onTime.flight[b])));
      trial.flight[at] = takeLate ? late.flight[a] : onTime.flight[b];
      trial.wish[at++] = takeLate ? late.minute[a++] : onTime.minute[b++];
    }
    trial.count = at;
  }

  /** Gives slots to the trial queue from `start` on; flights that wait become changed. */
  #serveAll(regulation: Regulation, before: Int16Array, start: number): void {
    const { flight, wish, free: freeBefore, wait, count } = this.#trial;
    const mark = this.#mark;
    const now = this.#now;
    const epoch = this.#epoch;
    const changed = this.#changed;
    let changedCount = this.#changedCount;
    const gap = 60 / regulation.ratePerHour;
    let free = Number.NEGATIVE_INFINITY;
    for (let i = start; i < count; i++) {
      const f = flight[i];
      const x = wish[i];
      freeBefore[i] = free;
      if (x >= free) {
        wait[i] = 0;
        free = x + gap;
        continue;
      }
      const marked = mark[f] === epoch;
      const delay = marked ? now[f] : before[f];
      let extra = waitMinutes(free, x);
      if (extra > MAX_DELAY_MINUTES - delay) extra = MAX_DELAY_MINUTES - delay;
      free += gap;
      wait[i] = extra;
      if (extra === 0) continue;
      now[f] = delay + extra;
      if (!marked) {
        mark[f] = epoch;
        changed[changedCount++] = f;
      }
    }
    freeBefore[count] = free;
    this.#changedCount = changedCount;
  }

  /** Takes out kept lines [first, end): changes are from here on against the delay after the last of them. */
  #dropKept(first: number, end: number, before: Int16Array): void {
    const after = this.#lines[end - 1].delay;
    const mark = this.#mark;
    const now = this.#now;
    const epoch = this.#epoch;
    const changed = this.#changed;
    let count = 0;
    for (let s = 0; s < this.#changedCount; s++) {
      const f = changed[s];
      if (now[f] === after[f]) mark[f] = -epoch;
      else changed[count++] = f;
    }
    for (let k = first; k < end; k++) {
      const { flight, count: served } = this.#lines[k].queue;
      for (let i = 0; i < served; i++) {
        const f = flight[i];
        if (mark[f] === epoch || mark[f] === -epoch || before[f] === after[f]) continue;
        mark[f] = epoch;
        now[f] = before[f];
        changed[count++] = f;
      }
    }
    this.#changedCount = count;
  }

  /** Serves a kept line again where a changed flight joins, leaves or moves in its queue; ends where nothing differs any more. */
  #replay(k: number): void {
    const line = this.#lines[k];
    const { regulation, visits, queue } = line;
    const before = this.#delayAfter(k - 1);
    const start = this.#trial.count;
    const joining = this.#joining;
    joining.count = 0;
    joining.reserve(this.#changedCount);
    let leaving = 0;
    let joiningCount = 0;
    let earliest = Number.POSITIVE_INFINITY;
    {
      const { place, minute, flowBit } = visits;
      const servedBy = this.#servedBy;
      const { bit } = line;
      const changed = this.#changed;
      const now = this.#now;
      const from = regulation.fromBin * this.#instance.binMinutes;
      const to = regulation.toBin * this.#instance.binMinutes;
      for (let s = 0; s < this.#changedCount; s++) {
        const f = changed[s];
        if (bit !== 0 && (servedBy[f] & bit) === 0) continue;
        const at = place[f];
        if (at < 0 || (flowBit[at] & regulation.flows) === 0) continue;
        const was = minute[at] + before[f];
        const is = minute[at] + now[f];
        if (was >= from && was < to) {
          leaving++;
          if (was < earliest) earliest = was;
        }
        if (is >= from && is < to) {
          joining.flight[joiningCount] = f;
          joining.minute[joiningCount++] = is;
          if (is < earliest) earliest = is;
        }
      }
      joining.count = joiningCount;
      if (leaving + joiningCount > 0) joining.sort(from, to);
    }
    if (leaving + joiningCount === 0) {
      this.#endStep(regulation, visits, line, 0, 0, start);
      return;
    }
    const resumed = lowerBound(queue.wish, queue.count, earliest);
    const stopped = this.#mergeQueues(line, before, resumed, leaving);
    this.#endStep(regulation, visits, line, resumed, stopped, start);
  }

  /** Serves the kept queue from `at` on without its changed flights, merged with those joining. Returns where it stopped. */
  #mergeQueues(line: Line, before: Int16Array, resumed: number, leavingCount: number): number {
    const { queue, delay: after } = line;
    const { flight: keptFlight, wish: keptWish, free: keptFree, count: keptCount } = queue;
    const { flight: joinFlight, minute: joinWish, count: joinCount } = this.#joining;
    const trial = this.#trial;
    trial.reserve(keptCount - resumed + joinCount);
    const { flight, wish, free: freeBefore, wait } = trial;
    const mark = this.#mark;
    const now = this.#now;
    const epoch = this.#epoch;
    const changed = this.#changed;
    const changedBefore = this.#changedCount;
    let changedCount = changedBefore;
    const gap = 60 / line.regulation.ratePerHour;
    let out = trial.count;
    let leaving = leavingCount;
    let at = resumed;
    let join = 0;
    let free = keptFree[at];
    for (;;) {
      while (leaving > 0 && at < keptCount && mark[keptFlight[at]] === epoch) {
        at++;
        leaving--;
      }
      const joined = join === joinCount;
      if (joined && (at === keptCount || (leaving === 0 && free === keptFree[at]))) break;
      let takeJoining = !joined;
      if (takeJoining && at < keptCount) {
        const x = joinWish[join];
        takeJoining = x < keptWish[at] || (x === keptWish[at] && joinFlight[join] < keptFlight[at]);
      }
      let f: number;
      let x: number;
      let delay: number;
      if (takeJoining) {
        f = joinFlight[join];
        x = joinWish[join++];
        delay = now[f];
      } else {
        f = keptFlight[at];
        x = keptWish[at++];
        delay = before[f];
      }
      flight[out] = f;
      wish[out] = x;
      freeBefore[out] = free;
      let extra = 0;
      if (x >= free) free = x + gap;
      else {
        extra = waitMinutes(free, x);
        if (extra > MAX_DELAY_MINUTES - delay) extra = MAX_DELAY_MINUTES - delay;
        free += gap;
      }
      wait[out++] = extra;
      delay += extra;
      if (takeJoining) now[f] = delay;
      else if (delay !== after[f]) {
        mark[f] = epoch;
        now[f] = delay;
        changed[changedCount++] = f;
      }
    }
    trial.count = out;
    freeBefore[out] = free;
    let count = 0;
    for (let s = 0; s < changedCount; s++) {
      const f = changed[s];
      if (s < changedBefore && now[f] === after[f]) mark[f] = 0;
      else changed[count++] = f;
    }
    this.#changedCount = count;
    return at;
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
    const previous = this.#steps.at(-1);
    let changesStart = this.#changeEnd;
    if (line !== undefined) {
      const untouched = from === to && start === this.#trial.count;
      if (untouched && previous?.line !== undefined) changesStart = previous.changesStart;
      else this.#logChanges();
    }
    const end = this.#trial.count;
    const free = this.#trial.free[end];
    const changesEnd = this.#changeEnd;
    this.#steps.push({ regulation, visits, line, from, to, start, end, free, changesStart, changesEnd });
  }

  #logChanges(): void {
    const needed = this.#changeEnd + this.#changedCount;
    if (needed > this.#changeFlight.length) {
      const flights = new Int32Array(2 * needed);
      flights.set(this.#changeFlight);
      const delays = new Int16Array(2 * needed);
      delays.set(this.#changeDelay);
      this.#changeFlight = flights;
      this.#changeDelay = delays;
    }
    const flights = this.#changeFlight;
    const delays = this.#changeDelay;
    const changed = this.#changed;
    const now = this.#now;
    let end = this.#changeEnd;
    for (let s = 0; s < this.#changedCount; s++) {
      flights[end] = changed[s];
      delays[end++] = now[changed[s]];
    }
    this.#changeEnd = end;
  }

  /** Regularity, smoothness and share of the trial plan's lines; only run while they have a price. */
  #flowTerms(plan: Plan, prefix: number): ReturnType<typeof compareWithDemand> {
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
      const queue = new SlotQueue();
      queue.splice(0, 0, trial, start, end);
      queue.free[queue.count] = step.free;
      const delay = before.slice();
      for (let i = start; i < end; i++) delay[trial.flight[i]] += trial.wait[i];
      return { regulation, visits, queue, delay, bit: this.#takeBit(regulation, visits) };
    }
    const { queue, delay } = step.line;
    if (step.from < step.to || step.start < step.end) {
      const toTheEnd = step.to === queue.count;
      queue.splice(step.from, step.to, trial, step.start, step.end);
      if (toTheEnd) queue.free[queue.count] = step.free;
    }
    for (let c = step.changesStart; c < step.changesEnd; c++) delay[this.#changeFlight[c]] = this.#changeDelay[c];
    return step.line;
  }
}

const noFlowTerms = { regularity: 0, smoothness: 0, share: 0 };

/** Whether two lines serve the same flights, whatever their rates. */
function sameFlights(a: Regulation, b: Regulation): boolean {
  return a.volume === b.volume && a.fromBin === b.fromBin && a.toBin === b.toBin && a.flows === b.flows;
}
