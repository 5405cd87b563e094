/**
 * How far Pearson's statistic is from its mean, in standard deviations, for counts that should be `expected`.
 * With fixed seeds a sound generator stays well within ±4; the normal approximation needs some tens of cells.
 */
export function chiSquareDeviations(counts: ArrayLike<number>, expected: (cell: number) => number): number {
  let statistic = 0;
  for (let cell = 0; cell < counts.length; cell++) statistic += (counts[cell] - expected(cell)) ** 2 / expected(cell);
  const freedom = counts.length - 1;
  return (statistic - freedom) / Math.sqrt(2 * freedom);
}

/** Kolmogorov's √n · sup |F_n − F|; a sample from F exceeds 1.95 once in a thousand times. */
export function kolmogorovStatistic(sample: Float64Array, distribution: (x: number) => number): number {
  const sorted = Float64Array.from(sample).sort();
  const n = sorted.length;
  let widest = 0;
  for (let i = 0; i < n; i++) {
    const f = distribution(sorted[i]);
    widest = Math.max(widest, (i + 1) / n - f, f - i / n);
  }
  return Math.sqrt(n) * widest;
}

/** How far a sample's mean is from the true one, in standard errors. */
export function meanDeviations(sample: ArrayLike<number>, mean: number, variance: number): number {
  let sum = 0;
  for (let i = 0; i < sample.length; i++) sum += sample[i];
  return (sum / sample.length - mean) / Math.sqrt(variance / sample.length);
}
