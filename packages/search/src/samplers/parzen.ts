import type { Random } from "@coppice/engine/evaluator";
import type { SearchSpace } from "../space/search-space.ts";
import { cellOf, fromUnit, sizeOf, toUnit } from "../space/unit-scale.ts";
import type { Domain } from "../tournament/parameter.ts";
import type { Trial } from "./trial.ts";

/**
 * A density over the unit cube: a mixture of one kernel around each trial and the prior, which is uniform and weighs as much
 * as a trial does in the mean. A kernel is a product over parameters: a normal curve cut off at 0 and 1 for numbers, mostly its own value for choices, the prior for
 * a parameter that the trial does not have. So all parameters are seen together.
 *
 * Hot loops: plain, over flat arrays.
 */
export class ParzenEstimator {
  readonly #domains: readonly Domain[];
  readonly #trials: readonly Trial[];
  readonly #isChoice: readonly boolean[];
  /** By kernel and parameter: the middle, or NaN for the prior; of a choice its index. */
  readonly #middles: Float64Array;
  /** By parameter: 1 / (width·√2), and whether cells matter. */
  readonly #inverse: Float64Array;
  readonly #width: Float64Array;
  readonly #coarse: readonly boolean[];
  /** By kernel, the prior last: its part of the mixture. */
  readonly #parts: Float64Array;
  /** By kernel: the logarithm of everything that does not depend on where one looks. */
  readonly #constant: Float64Array;
  /** Of a choice: the logarithm of the probability of a kernel's own value, and of any other. */
  readonly #own: Float64Array;
  readonly #other: Float64Array;

  constructor(
    { parameters }: SearchSpace,
    trials: readonly Trial[],
    width: (dimensions: number, count: number) => number,
    weight: (index: number, count: number) => number = () => 1,
  ) {
    const dimensions = parameters.length;
    const count = trials.length;
    this.#domains = parameters.map(({ domain }) => domain);
    this.#trials = trials;
    this.#isChoice = this.#domains.map((domain) => domain.kind === "choice");
    this.#coarse = this.#domains.map((domain) => domain.kind !== "choice" && sizeOf(domain) <= 100);
    this.#middles = new Float64Array(count * dimensions);
    const weights = trials.map((_, k) => weight(k, count));
    const mean = weights.reduce((sum, each) => sum + each, 0) / Math.max(1, count);
    this.#parts = Float64Array.from([...weights.map((each) => each / mean), 1], (each) => each / (count + 1));
    this.#constant = Float64Array.from(trials, (_, k) => Math.log(this.#parts[k]));
    this.#own = new Float64Array(dimensions);
    this.#other = new Float64Array(dimensions);
    this.#width = Float64Array.from(this.#domains, (domain) =>
      // A kernel narrower than a cell would only ever see its own value.
      Math.max(width(dimensions, count), domain.kind === "choice" ? 0 : 0.5 / Math.min(sizeOf(domain), 1e9)),
    );
    this.#inverse = this.#width.map((w) => 1 / (w * Math.SQRT2));
    for (const [d, domain] of this.#domains.entries()) {
      if (domain.kind !== "choice") continue;
      const values = domain.values.length;
      // One part of a count for each value beside the kernel's own: what was never seen stays possible.
      const extra = 1 / (count + 1);
      this.#own[d] = Math.log((1 + extra) / (1 + values * extra));
      this.#other[d] = Math.log(extra / (1 + values * extra));
    }
    for (const [k, { point, place }] of trials.entries()) {
      for (let d = 0; d < dimensions; d++) {
        const missing = point[d] === undefined;
        this.#middles[k * dimensions + d] = missing ? Number.NaN : place[d];
        if (missing || this.#isChoice[d]) continue;
        const inside = mass(place[d], 0, 1, this.#inverse[d]);
        this.#constant[k] -= Math.log(inside);
        if (!this.#coarse[d]) this.#constant[k] -= Math.log(this.#width[d] * Math.sqrt(2 * Math.PI));
      }
    }
  }

  /** A place drawn from the mixture. */
  draw(draws: Random): Float64Array {
    const dimensions = this.#domains.length;
    const kernel = draws.weightedIndex(this.#parts);
    return Float64Array.from(this.#domains, (domain, d) => {
      const middle = kernel === this.#trials.length ? Number.NaN : this.#middles[kernel * dimensions + d];
      if (Number.isNaN(middle)) return draws.uniform();
      if (domain.kind === "choice") {
        if (draws.uniform() < Math.exp(this.#own[d])) return middle;
        const others = domain.values.length - 1;
        if (others === 0) return middle;
        const index = Math.floor(middle * domain.values.length);
        const drawn = draws.integer(0, others - 1);
        return ((drawn < index ? drawn : drawn + 1) + 0.5) / domain.values.length;
      }
      for (;;) {
        const place = draws.normal(middle, this.#width[d]);
        if (place >= 0 && place < 1) return toUnit(domain, fromUnit(domain, place));
      }
    });
  }

  /** The logarithm of the density at a place. */
  logDensity(place: ArrayLike<number>, exists: readonly boolean[]): number {
    const dimensions = this.#domains.length;
    const count = this.#trials.length;
    const cells = this.#domains.map((domain, d) =>
      this.#coarse[d] && exists[d] ? cellOf(domain, fromUnit(domain, place[d])) : undefined,
    );
    const logs = new Float64Array(count + 1);
    let prior = Math.log(this.#parts[count]);
    for (let d = 0; d < dimensions; d++) prior += exists[d] ? this.#priorLog(d, cells[d]) : 0;
    logs[count] = prior;
    let most = prior;
    for (let k = 0; k < count; k++) {
      let log = this.#constant[k];
      for (let d = 0; d < dimensions; d++) {
        const middle = this.#middles[k * dimensions + d];
        const known = !Number.isNaN(middle);
        if (!exists[d]) {
          // Nothing is looked at here: the kernel's own factor is taken back.
          if (known && !this.#isChoice[d]) log -= this.#ownConstant(d, middle);
          continue;
        }
        if (!known) log += this.#priorLog(d, cells[d]);
        else if (this.#isChoice[d]) log += Math.abs(middle - place[d]) < 1e-9 ? this.#own[d] : this.#other[d];
        else {
          const cell = cells[d];
          if (cell !== undefined) log += Math.log(Math.max(mass(middle, cell[0], cell[1], this.#inverse[d]), 1e-300));
          else {
            const z = (place[d] - middle) * this.#inverse[d];
            log -= z * z;
          }
        }
      }
      logs[k] = log;
      if (log > most) most = log;
    }
    let sum = 0;
    for (let k = 0; k <= count; k++) sum += Math.exp(logs[k] - most);
    return most + Math.log(sum);
  }

  #priorLog(d: number, cell: readonly [number, number] | undefined): number {
    const domain = this.#domains[d];
    if (domain.kind === "choice") return -Math.log(domain.values.length);
    return cell === undefined ? 0 : Math.log(cell[1] - cell[0]);
  }

  #ownConstant(d: number, middle: number): number {
    const inside = Math.log(mass(middle, 0, 1, this.#inverse[d]));
    return -inside - (this.#coarse[d] ? 0 : Math.log(this.#width[d] * Math.sqrt(2 * Math.PI)));
  }
}

/** How much of a normal curve around `middle` lies between two places. */
function mass(middle: number, low: number, high: number, inverse: number): number {
  return 0.5 * (erf((high - middle) * inverse) - erf((low - middle) * inverse));
}

/** The error function to 1.5e-7: Abramowitz and Stegun, 7.1.26. */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}
