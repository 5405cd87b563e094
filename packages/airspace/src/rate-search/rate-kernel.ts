import { timed } from "@coppice/engine/evaluator";
import type { RateVector } from "./rate-search.ts";
import type { RateTables } from "./rate-tables.ts";
import { type ReleaseFlow, releaseByQuota, releaseBySlots } from "./release.ts";

// Hot loops: preallocated typed arrays, no closures, no allocation. The slow twins are scoreProfiles and scoreFromScratch.

/** The terms of an objective before they are priced up. */
export interface RateTerms {
  exceedance: number;
  delayMinutes: number;
  entries: number;
  regularity: number;
  smoothness: number;
  shareShift: number;
  spilled: number;
}

/**
 * Scores rate vectors over one set of tables. Keeps the state of the last vector: only flows whose rate changed are
 * scheduled again, only flights whose delay changed move, only bins they touched are compared with capacity.
 *
 * Every sum is exact (whole numbers times single-precision prices), so the result does not depend on what was scored before.
 */
export class RateKernel {
  readonly tables: RateTables;
  /** Releases per flow and bin of the last vector, laid out as `demand`. */
  readonly profile: Int32Array;
  /** Minutes per flight of the last vector. */
  readonly delay: Int32Array;
  readonly #release: ReleaseFlow;
  readonly #rates: Float64Array;
  /** Delay for which a flight's visits are counted. */
  readonly #counted: Int32Array;
  readonly #count: Int32Array;
  readonly #excess: Float64Array;
  readonly #changed: Uint8Array;
  readonly #dirtyLow: Int32Array;
  readonly #dirtyHigh: Int32Array;
  readonly #dirtyRows: Int32Array;
  readonly #regularity: Float64Array;
  readonly #smoothness: Float64Array;
  readonly #pricesProfiles: boolean;
  #exceedance = 0;
  #delayMinutes = 0;

  constructor(tables: RateTables) {
    const { binCount, flowCount } = tables;
    this.tables = tables;
    this.#release = tables.release === "slots" ? releaseBySlots : releaseByQuota;
    this.profile = tables.demand.slice();
    this.delay = tables.startDelay.slice();
    this.#counted = tables.startDelay.slice();
    this.#rates = new Float64Array(flowCount).fill(Number.POSITIVE_INFINITY);
    this.#count = tables.count.slice();
    this.#excess = new Float64Array(tables.count.length);
    this.#changed = new Uint8Array(flowCount);
    const rows = tables.count.length / binCount;
    this.#dirtyLow = new Int32Array(rows).fill(binCount);
    this.#dirtyHigh = new Int32Array(rows).fill(-1);
    this.#dirtyRows = new Int32Array(rows);
    this.#regularity = new Float64Array(flowCount);
    this.#smoothness = new Float64Array(flowCount);
    this.#pricesProfiles = tables.prices.regularity > 0 || tables.prices.smoothness > 0;
    this.#exceedance = tables.constant.exceedance;
    for (let row = 0; row < rows; row++) this.#compare(row, 0, binCount - 1);
    this.#delayMinutes = tables.startDelay.reduce((sum, minutes) => sum + minutes, tables.constant.delayMinutes);
    if (this.#pricesProfiles) for (let flow = 0; flow < flowCount; flow++) this.#priceFlow(flow);
  }

  /** Schedules the flows whose rate differs from the last vector's. */
  schedule(rates: ArrayLike<number>): void {
    const { flowCount } = this.tables;
    for (let flow = 0; flow < flowCount; flow++) {
      const rate = rates[flow] > 0 ? rates[flow] : Number.POSITIVE_INFINITY;
      if (rate === this.#rates[flow]) continue;
      this.#rates[flow] = rate;
      this.#changed[flow] = 1;
      this.#release(this.tables, flow, rate, this.profile, this.delay);
    }
  }

  /** The objective of what was scheduled last. */
  score(): number {
    const { flowCount, flightOffset, binCount } = this.tables;
    let dirty = 0;
    for (let flow = 0; flow < flowCount; flow++) {
      if (this.#changed[flow] === 0) continue;
      this.#changed[flow] = 0;
      for (let flight = flightOffset[flow]; flight < flightOffset[flow + 1]; flight++) {
        if (this.delay[flight] !== this.#counted[flight]) dirty = this.#move(flight, dirty);
      }
      if (this.#pricesProfiles) this.#priceFlow(flow);
    }
    for (let i = 0; i < dirty; i++) {
      const row = this.#dirtyRows[i];
      this.#compare(row, this.#dirtyLow[row], this.#dirtyHigh[row]);
      this.#dirtyLow[row] = binCount;
      this.#dirtyHigh[row] = -1;
    }
    return this.#objective();
  }

  evaluate(rates: ArrayLike<number>): number {
    this.schedule(rates);
    return this.score();
  }

  /** The terms of the last score. */
  terms(): RateTerms {
    let entries = this.tables.constant.entries;
    for (const rate of this.#rates) if (rate < Number.POSITIVE_INFINITY) entries++;
    return {
      exceedance: this.#exceedance,
      delayMinutes: this.#delayMinutes,
      entries,
      regularity: this.#regularity.reduce((sum, term) => sum + term, this.tables.constant.regularity),
      smoothness: this.#smoothness.reduce((sum, term) => sum + term, this.tables.constant.smoothness),
      shareShift: this.tables.prices.share > 0 ? this.#shareShift() : 0,
      spilled: this.#spilled(),
    };
  }

  #objective(): number {
    const { prices, flowCount, constant } = this.tables;
    let entries = constant.entries;
    let { regularity, smoothness } = constant;
    for (let flow = 0; flow < flowCount; flow++) {
      if (this.#rates[flow] < Number.POSITIVE_INFINITY) entries++;
      regularity += this.#regularity[flow];
      smoothness += this.#smoothness[flow];
    }
    let objective =
      prices.exceedance * this.#exceedance + prices.delayMinute * this.#delayMinutes + prices.entry * entries;
    if (prices.regularity > 0) objective += prices.regularity * regularity;
    if (prices.smoothness > 0) objective += prices.smoothness * smoothness;
    if (prices.share > 0) objective += prices.share * this.#shareShift();
    if (prices.spill > 0) objective += prices.spill * this.#spilled();
    return objective;
  }

  /** Counts a flight's visits at its new delay; returns how many volumes are dirty by now. */
  #move(flight: number, dirtyBefore: number): number {
    const { visitOffset, visitRow, visitMinute, binMinutes, binCount } = this.tables;
    const weight = this.tables.flightWeight[flight];
    const before = this.#counted[flight];
    const after = this.delay[flight];
    let dirty = dirtyBefore;
    this.#counted[flight] = after;
    this.#delayMinutes += after - before;
    for (let visit = visitOffset[flight]; visit < visitOffset[flight + 1]; visit++) {
      const oldBin = Math.floor((visitMinute[visit] + before) / binMinutes);
      const newBin = Math.floor((visitMinute[visit] + after) / binMinutes);
      if (oldBin === newBin) continue;
      const first = visitRow[visit];
      const row = first / binCount;
      const wasClean = this.#dirtyHigh[row] === -1;
      if (oldBin >= 0 && oldBin < binCount) {
        this.#count[first + oldBin] -= weight;
        if (oldBin < this.#dirtyLow[row]) this.#dirtyLow[row] = oldBin;
        if (oldBin > this.#dirtyHigh[row]) this.#dirtyHigh[row] = oldBin;
      }
      if (newBin >= 0 && newBin < binCount) {
        this.#count[first + newBin] += weight;
        if (newBin < this.#dirtyLow[row]) this.#dirtyLow[row] = newBin;
        if (newBin > this.#dirtyHigh[row]) this.#dirtyHigh[row] = newBin;
      }
      if (wasClean && this.#dirtyHigh[row] !== -1) this.#dirtyRows[dirty++] = row;
    }
    return dirty;
  }

  /** Compares the rolling hours that contain bins low..high of a volume with capacity. */
  #compare(row: number, low: number, high: number): void {
    const { binCount, binMinutes, capacity, alpha } = this.tables;
    const perHour = 60 / binMinutes;
    const first = row * binCount;
    const from = Math.max(low - perHour + 1, 0);
    let rolling = 0;
    for (let t = high + 1; t <= high + perHour && t < binCount; t++) rolling += this.#count[first + t];
    let change = 0;
    for (let t = high; t >= from; t--) {
      const cell = first + t;
      rolling += this.#count[cell];
      if (t + perHour < binCount) rolling -= this.#count[cell + perHour];
      const over = rolling - capacity[cell];
      const excess = Math.max(over, 0);
      change += alpha[cell] * (excess - this.#excess[cell]);
      this.#excess[cell] = excess;
    }
    this.#exceedance += change;
  }

  /** Regularity and smoothness of one flow's profile. */
  #priceFlow(flow: number): void {
    const { binCount, demand, beta, gamma, prices } = this.tables;
    const { profile } = this;
    const profileStart = flow * (binCount + 1);
    const priceStart = flow * binCount;
    const overflow = profileStart + binCount;
    let regularity = prices.betaOverflow * Math.abs(profile[overflow] - demand[overflow]);
    let smoothness = prices.gammaOverflow * Math.abs(profile[overflow] - profile[overflow - 1]);
    for (let t = 0; t < binCount; t++) {
      const at = profileStart + t;
      regularity += beta[priceStart + t] * Math.abs(profile[at] - demand[at]);
      smoothness += gamma[priceStart + t] * Math.abs(profile[at + 1] - profile[at]);
    }
    this.#regularity[flow] = regularity;
    this.#smoothness[flow] = smoothness - this.tables.freeSmoothness[flow];
  }

  /** Half the sum over bins and flows of |share of releases - share of demand|. With slots, flows without a rate have none. */
  #shareShift(): number {
    const { binCount, flowCount, demand, release, besideWanted, besideReleased } = this.tables;
    const { profile } = this;
    const highestRate = release === "slots" ? Number.MAX_VALUE : Number.POSITIVE_INFINITY;
    let shift = this.tables.constant.share;
    for (let t = 0; t < binCount; t++) {
      let released = 0;
      let demanded = 0;
      for (let flow = 0; flow < flowCount; flow++) {
        if (this.#rates[flow] > highestRate) continue;
        released += profile[flow * (binCount + 1) + t];
        demanded += demand[flow * (binCount + 1) + t];
      }
      for (let at = t; at < besideWanted.length; at += binCount) {
        released += besideReleased[at];
        demanded += besideWanted[at];
      }
      if (released === 0 && demanded === 0) continue;
      let sum = 0;
      for (let flow = 0; flow < flowCount; flow++) {
        if (this.#rates[flow] > highestRate) continue;
        const at = flow * (binCount + 1) + t;
        sum += Math.abs(profile[at] / Math.max(1, released) - demand[at] / Math.max(1, demanded));
      }
      for (let at = t; at < besideWanted.length; at += binCount) {
        sum += Math.abs(besideReleased[at] / Math.max(1, released) - besideWanted[at] / Math.max(1, demanded));
      }
      shift += 0.5 * sum;
    }
    return shift;
  }

  #spilled(): number {
    const { binCount, flowCount } = this.tables;
    let spilled = 0;
    for (let flow = 0; flow < flowCount; flow++) spilled += this.profile[flow * (binCount + 1) + binCount];
    return spilled;
  }
}

/** Scores one vector, under the published timers. */
export function evaluateVector(kernel: RateKernel, vector: RateVector): number {
  const whole = timed("rate_finder.evaluate_candidate");
  const schedule = timed("rate_finder.build_schedule");
  kernel.schedule(vector.map((rate) => rate ?? Number.POSITIVE_INFINITY));
  schedule?.[Symbol.dispose]();
  const score = timed("rate_finder.score_with_context.candidate");
  const objective = kernel.score();
  score?.[Symbol.dispose]();
  whole?.[Symbol.dispose]();
  return objective;
}
