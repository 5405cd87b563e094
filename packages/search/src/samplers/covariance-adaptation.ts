import { eigen, spectral, timesVector } from "./symmetric-matrix.ts";

/**
 * The core of CMA-ES (Hansen, "The CMA Evolution Strategy: A Tutorial", 2016; weights of bad points are negative): a normal
 * distribution that moves and stretches towards good points. It draws nothing itself: a normal vector comes in, a point
 * goes out by the symmetric root of the covariance, so that turning both turns everything.
 */
export class CovarianceAdaptation {
  readonly dimensions: number;
  readonly size: number;
  mean: Float64Array;
  sigma: number;
  readonly #covariance: Float64Array;
  #root: Float64Array;
  #inverseRoot: Float64Array;
  /** Whether the roots are those of the covariance as it is. */
  #rooted = true;
  readonly #weights: readonly number[];
  readonly #muEff: number;
  readonly #rates: {
    readonly sigma: number;
    readonly damping: number;
    readonly path: number;
    readonly one: number;
    readonly mu: number;
  };
  readonly #pathSigma: Float64Array;
  readonly #path: Float64Array;
  #generation = 0;

  constructor(mean: ArrayLike<number>, sigma: number, size: number) {
    const n = mean.length;
    this.dimensions = n;
    this.size = size;
    this.mean = Float64Array.from(mean);
    this.sigma = sigma;
    this.#covariance = identity(n);
    this.#root = identity(n);
    this.#inverseRoot = identity(n);
    this.#pathSigma = new Float64Array(n);
    this.#path = new Float64Array(n);

    const raw = Array.from({ length: size }, (_, i) => Math.log((size + 1) / 2) - Math.log(i + 1));
    const good = raw.filter((weight) => weight > 0);
    const bad = raw.filter((weight) => weight <= 0);
    const muEff = sum(good) ** 2 / sum(good.map((w) => w * w));
    const muEffBad = bad.length === 0 ? 0 : sum(bad) ** 2 / Math.max(sum(bad.map((w) => w * w)), 1e-12);
    const one = 2 / ((n + 1.3) ** 2 + muEff);
    const mu = Math.min(1 - one, (2 * (muEff - 2 + 1 / muEff)) / ((n + 2) ** 2 + muEff));
    const least = Math.min(1 + one / mu, 1 + (2 * muEffBad) / (muEff + 2), (1 - one - mu) / (n * mu));
    const badSum = Math.max(sum(bad.map(Math.abs)), 1e-12);
    this.#weights = raw.map((weight) => (weight > 0 ? weight / sum(good) : (least * weight) / badSum));
    this.#muEff = muEff;
    const sigmaRate = (muEff + 2) / (n + muEff + 5);
    this.#rates = {
      sigma: sigmaRate,
      damping: 1 + 2 * Math.max(0, Math.sqrt((muEff - 1) / (n + 1)) - 1) + sigmaRate,
      path: (4 + muEff / n) / (n + 4 + (2 * muEff) / n),
      one,
      mu,
    };
  }

  /** The point that a vector of normal numbers stands for. */
  point(normals: ArrayLike<number>): Float64Array {
    this.#findRoots();
    return timesVector(this.#root, this.dimensions, normals).map((y, i) => this.mean[i] + this.sigma * y);
  }

  /** How far points lie apart along dimension `i`. */
  deviation(i: number): number {
    return this.sigma * Math.sqrt(this.#covariance[i * this.dimensions + i]);
  }

  /** Learns from a whole generation, best point first. */
  learn(ranked: readonly ArrayLike<number>[]): void {
    this.#findRoots();
    const n = this.dimensions;
    const { sigma: sigmaRate, damping, path: pathRate, one, mu } = this.#rates;
    const steps = ranked.map((point) => Float64Array.from(point, (x, i) => (x - this.mean[i]) / this.sigma));
    const step = new Float64Array(n);
    for (const [k, weight] of this.#weights.entries()) {
      if (weight > 0) for (let i = 0; i < n; i++) step[i] += weight * steps[k][i];
    }
    this.mean = this.mean.map((m, i) => m + this.sigma * step[i]);

    const white = timesVector(this.#inverseRoot, n, step);
    const grow = Math.sqrt(sigmaRate * (2 - sigmaRate) * this.#muEff);
    for (let i = 0; i < n; i++) this.#pathSigma[i] = (1 - sigmaRate) * this.#pathSigma[i] + grow * white[i];
    const length = Math.sqrt(sum(Array.from(this.#pathSigma, (p) => p * p)));
    // The mean length of a normal vector.
    const expected = Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
    this.#generation++;
    const settled = Math.sqrt(1 - (1 - sigmaRate) ** (2 * this.#generation));
    const stalled = length / settled >= (1.4 + 2 / (n + 1)) * expected;
    const growPath = stalled ? 0 : Math.sqrt(pathRate * (2 - pathRate) * this.#muEff);
    for (let i = 0; i < n; i++) this.#path[i] = (1 - pathRate) * this.#path[i] + growPath * step[i];

    const weights = this.#weights.map((weight, k) => {
      if (weight >= 0) return weight;
      const whitened = timesVector(this.#inverseRoot, n, steps[k]);
      return (weight * n) / (sum(Array.from(whitened, (w) => w * w)) + 1e-12);
    });
    const kept = 1 - one - mu * sum(this.#weights) + (stalled ? one * pathRate * (2 - pathRate) : 0);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        let ranks = 0;
        for (let k = 0; k < weights.length; k++) ranks += weights[k] * steps[k][i] * steps[k][j];
        const value = kept * this.#covariance[i * n + j] + one * this.#path[i] * this.#path[j] + mu * ranks;
        this.#covariance[i * n + j] = value;
        this.#covariance[j * n + i] = value;
      }
    }
    this.sigma *= Math.exp(Math.min(1, (sigmaRate / damping) * (length / expected - 1)));
    this.#rooted = false;
  }

  /** Keeps points at least this far apart along a dimension. */
  widen(i: number, deviation: number): void {
    if (this.deviation(i) >= deviation) return;
    this.#covariance[i * this.dimensions + i] = (deviation / this.sigma) ** 2;
    this.#rooted = false;
  }

  #findRoots(): void {
    if (this.#rooted) return;
    this.#rooted = true;
    const n = this.dimensions;
    const parts = eigen(this.#covariance, n);
    const floor = 1e-20 * Math.max(...parts.values, 1e-300);
    this.#root = spectral(parts, n, (value) => Math.sqrt(Math.max(value, floor)));
    this.#inverseRoot = spectral(parts, n, (value) => 1 / Math.sqrt(Math.max(value, floor)));
  }
}

function identity(n: number): Float64Array {
  const matrix = new Float64Array(n * n);
  for (let i = 0; i < n; i++) matrix[i * n + i] = 1;
  return matrix;
}

function sum(numbers: readonly number[]): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
