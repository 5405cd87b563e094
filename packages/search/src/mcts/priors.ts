import type { Random } from "@coppice/engine";

/** Softmax of logits / temperature. */
export function priorsOf(logits: ArrayLike<number>, temperature: number): Float64Array {
  const priors = Float64Array.from(logits, (logit) => logit / temperature);
  let highest = Number.NEGATIVE_INFINITY;
  for (const logit of priors) if (logit > highest) highest = logit;
  let sum = 0;
  for (let a = 0; a < priors.length; a++) {
    priors[a] = Math.exp(priors[a] - highest);
    sum += priors[a];
  }
  for (let a = 0; a < priors.length; a++) priors[a] /= sum;
  return priors;
}

/** (1 - share) × prior + share × Dirichlet(concentration). */
export function withNoise(priors: Float64Array, share: number, concentration: number, random: Random): Float64Array {
  const noise = random.dirichlet(new Float64Array(priors.length).fill(concentration));
  return priors.map((prior, a) => (1 - share) * prior + share * noise[a]);
}
