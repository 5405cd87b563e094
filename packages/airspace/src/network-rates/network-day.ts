import { type Instance, wholeCapacity } from "../instance/instance.ts";
import { Arrivals } from "../network/kernel/arrivals.ts";
import { type FirstVisits, firstVisitsOf, lowerBound } from "../network/kernel/first-visits.ts";
import { compareWithDemand } from "../network/network-score.ts";
import { MAX_DELAY_MINUTES, type Plan, planKey, type Regulation, waitMinutes } from "../network/regulation.ts";
import type { Weights } from "../network/weights.ts";
import { Recent } from "../rate-search/recent.ts";

/** The day as a plan leaves it. */
export interface NetworkState {
  /** Per flight. */
  readonly delayMinutes: Int32Array;
  readonly delayTotal: number;
  /** Flights above capacity, over all rolling hours. */
  readonly exceedance: number;
  /** Entries per volume and bin. */
  readonly count: Int32Array;
  /** Flights that wanted to enter and that were let in, per line of the plan and bin. */
  readonly wanted: Int32Array;
  readonly released: Int32Array;
  readonly regularity: number;
  readonly smoothness: number;
}

/** Flights that want to enter a volume, and when, in order of time. */
export interface Requests {
  readonly flight: Int32Array;
  readonly minute: Float64Array;
}

/** States that are remembered: plans are looked at again when they are continued in another way. */
const REMEMBERED = 64;

/** A day prepared for many regulations after few plans. */
export class NetworkDay {
  readonly instance: Instance;
  readonly weights: Weights;
  /** Minutes after the start at which each visit begins, undelayed. */
  readonly entryMinute: Float64Array;
  /** Whole flights per rolling hour, per volume and bin. */
  readonly capacity: Float64Array;
  #ones = new Float64Array(0);
  readonly #arrivals = new Arrivals();
  readonly #firstVisits: (volume: number) => FirstVisits;
  readonly #undisturbed: NetworkState;
  readonly #states = new Recent<NetworkState>(REMEMBERED);

  constructor(instance: Instance, weights: Weights) {
    this.instance = instance;
    this.weights = weights;
    this.entryMinute = new Float64Array(instance.visitVolume.length);
    for (let flight = 0; flight < instance.flightIds.length; flight++) {
      for (let visit = instance.visitOffset[flight]; visit < instance.visitOffset[flight + 1]; visit++) {
        this.entryMinute[visit] = (instance.takeoffSecond[flight] + instance.entrySecond[visit]) / 60;
      }
    }
    this.capacity = instance.capacity.map(wholeCapacity);
    this.#firstVisits = firstVisitsOf(instance);
    const delayMinutes = new Int32Array(instance.flightIds.length);
    const count = new Int32Array(instance.capacity.length);
    delayMinutes.forEach((_, flight) => {
      this.#count(count, flight, 0, 1);
    });
    const nothing = new Int32Array(0);
    this.#undisturbed = {
      delayMinutes,
      delayTotal: 0,
      exceedance: this.excessOf(count, this.capacity),
      count,
      wanted: nothing,
      released: nothing,
      regularity: 0,
      smoothness: 0,
    };
  }

  /** The state after a plan, from that after as many of its first lines as are remembered. */
  after(plan: Plan): NetworkState {
    let known = plan.length;
    let before = this.#known(plan);
    while (before === undefined) before = this.#known(plan.slice(0, --known));
    return known === plan.length ? before : this.#states.add(planKey(plan), this.#extended(before, plan, known));
  }

  /** Flights of the flows whose first entry into the volume, as delayed so far, lies in the window. */
  requests({ volume, fromBin, toBin, flows }: Omit<Regulation, "ratePerHour">, delayMinutes: Int32Array): Requests {
    const { flight, minute, flowBit } = this.#firstVisits(volume);
    const from = fromBin * this.instance.binMinutes;
    const to = toBin * this.instance.binMinutes;
    const first = lowerBound(minute, minute.length, from - MAX_DELAY_MINUTES);
    const end = lowerBound(minute, minute.length, to);
    const arrivals = this.#arrivals;
    arrivals.count = 0;
    arrivals.reserve(end - first);
    for (let i = first; i < end; i++) {
      if ((flows & flowBit[i]) === 0) continue;
      const wanted = minute[i] + delayMinutes[flight[i]];
      if (wanted < from || wanted >= to) continue;
      arrivals.flight[arrivals.count] = flight[i];
      arrivals.minute[arrivals.count++] = wanted;
    }
    arrivals.sort(from, to);
    return { flight: arrivals.flight.slice(0, arrivals.count), minute: arrivals.minute.slice(0, arrivals.count) };
  }

  /** So many ones, to be read only: everything has the same price. */
  ones(length: number): Float64Array {
    if (this.#ones.length < length) this.#ones = new Float64Array(Math.max(length, this.capacity.length)).fill(1);
    return this.#ones.subarray(0, length);
  }

  /** Flights above capacity in all rolling hours of some volumes' bins. */
  excessOf(count: Int32Array, capacity: Float64Array): number {
    const { binCount, binMinutes } = this.instance;
    const perHour = 60 / binMinutes;
    let excess = 0;
    for (let row = 0; row < count.length; row += binCount) {
      let hour = 0;
      for (let t = binCount - 1; t >= 0; t--) {
        hour += count[row + t];
        if (t + perHour < binCount) hour -= count[row + t + perHour];
        if (hour > capacity[row + t]) excess += hour - capacity[row + t];
      }
    }
    return excess;
  }

  #known(plan: Plan): NetworkState | undefined {
    return plan.length === 0 ? this.#undisturbed : this.#states.find(planKey(plan));
  }

  /** Serves the lines of a plan from the `known`-th on. */
  #extended(before: NetworkState, plan: Plan, known: number): NetworkState {
    const { binCount } = this.instance;
    const delayMinutes = before.delayMinutes.slice();
    const count = before.count.slice();
    const wanted = longer(before.wanted, plan.length * binCount);
    const released = longer(before.released, plan.length * binCount);
    let { delayTotal } = before;
    for (let k = known; k < plan.length; k++) {
      const gap = 60 / plan[k].ratePerHour;
      let free = Number.NEGATIVE_INFINITY;
      const requests = this.requests(plan[k], delayMinutes);
      for (let i = 0; i < requests.flight.length; i++) {
        const flight = requests.flight[i];
        const minute = requests.minute[i];
        const slot = Math.max(minute, free);
        const was = delayMinutes[flight];
        const extra = Math.min(waitMinutes(slot, minute), MAX_DELAY_MINUTES - was);
        free = slot + gap;
        this.#countEntry(wanted, k, minute);
        this.#countEntry(released, k, minute + extra);
        if (extra === 0) continue;
        delayMinutes[flight] = was + extra;
        delayTotal += extra;
        this.#count(count, flight, was, -1);
        this.#count(count, flight, was + extra, 1);
      }
    }
    return {
      delayMinutes,
      delayTotal,
      exceedance: this.excessOf(count, this.capacity),
      count,
      wanted,
      released,
      ...compareWithDemand(plan, wanted, released, binCount, this.weights),
    };
  }

  /** Adds the visits of a flight with some delay to the counts, or takes them off. */
  #count(count: Int32Array, flight: number, delay: number, by: 1 | -1): void {
    const { binCount, binMinutes, visitOffset, visitVolume } = this.instance;
    for (let visit = visitOffset[flight]; visit < visitOffset[flight + 1]; visit++) {
      const bin = Math.floor((this.entryMinute[visit] + delay) / binMinutes);
      if (bin >= 0 && bin < binCount) count[visitVolume[visit] * binCount + bin] += by;
    }
  }

  #countEntry(bins: Int32Array, line: number, minute: number): void {
    const { binCount, binMinutes } = this.instance;
    const bin = Math.floor(minute / binMinutes);
    if (bin >= 0 && bin < binCount) bins[line * binCount + bin]++;
  }
}

function longer(column: Int32Array, length: number): Int32Array {
  const result = new Int32Array(length);
  result.set(column);
  return result;
}
