import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { uniform } from "./uniform.ts";

/** A gamma number with the given shape and scale 1. */
export function standardGamma(bits: RandomGenerator, shape: number): number {
  return shape < 1 ? Math.exp(logGamma(bits, shape)) : marsagliaTsang(bits, shape);
}

/**
 * A Dirichlet vector: gamma numbers divided by their sum.
 *
 * Worked in logarithms, because for small concentrations (0.03 is usual for search noise) the gamma numbers themselves
 * can all be too small for a double.
 */
export function dirichlet(bits: RandomGenerator, concentrations: ArrayLike<number>): Float64Array {
  const shares = new Float64Array(concentrations.length);
  let largest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < shares.length; i++) {
    shares[i] = logGamma(bits, concentrations[i]);
    largest = Math.max(largest, shares[i]);
  }
  let sum = 0;
  for (let i = 0; i < shares.length; i++) {
    shares[i] = Math.exp(shares[i] - largest);
    sum += shares[i];
  }
  for (let i = 0; i < shares.length; i++) shares[i] = shares[i] / sum;
  return shares;
}

/** The logarithm of a gamma number. Below shape 1: if G has shape a + 1 and U is uniform, G·U^(1/a) has shape a. */
function logGamma(bits: RandomGenerator, shape: number): number {
  if (shape >= 1) return Math.log(marsagliaTsang(bits, shape));
  const boosted = Math.log(marsagliaTsang(bits, shape + 1));
  return boosted + Math.log(1 - uniform(bits)) / shape;
}

/**
 * Marsaglia and Tsang, "A simple method for generating gamma variables" (2000), for shape ≥ 1:
 * with d = shape − 1/3 and c = 1/√(9d), accept d·v for v = (1 + c·x)³ when ln u < x²/2 + d − d·v + d·ln v.
 */
function marsagliaTsang(bits: RandomGenerator, shape: number): number {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = standardNormal(bits);
    const v = (1 + c * x) ** 3;
    if (v <= 0) continue;
    const u = 1 - uniform(bits);
    if (Math.log(u) < (x * x) / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}

/**
 * A standard normal number, by Marsaglia's polar method: for (u, v) uniform in the unit disc and s = u² + v²,
 * u·√(−2 ln s / s) is normal. Its twin v·√(…) is not kept: a stream's state stays four words.
 */
export function standardNormal(bits: RandomGenerator): number {
  for (;;) {
    const u = 2 * uniform(bits) - 1;
    const v = 2 * uniform(bits) - 1;
    const s = u * u + v * v;
    if (s > 0 && s < 1) return u * Math.sqrt((-2 * Math.log(s)) / s);
  }
}
