/** Upper tail of Student's t distribution, P(T > t) for t ≥ 0, with the given degrees of freedom: ½·I(ν/(ν+t²); ν/2, ½). */
function upperTail(t: number, freedom: number): number {
  return 0.5 * regularisedBeta(freedom / (freedom + t * t), freedom / 2, 0.5);
}

/** The t that is exceeded with this probability (below ½). */
export function criticalT(probability: number, freedom: number): number {
  let [low, high] = [0, 1];
  while (upperTail(high, freedom) > probability && high < 1e12) high *= 2;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (upperTail(middle, freedom) > probability) low = middle;
    else high = middle;
  }
  return high;
}

/** I(x; a, b), the regularised incomplete beta function, by its continued fraction (Lentz). */
function regularisedBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  // The fraction converges where x is below the mean; beyond it the other tail is taken.
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
}

function fraction(x: number, a: number, b: number): number {
  const TINY = 1e-300;
  const away = (value: number) => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= 300; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let change = 1;
    for (const term of [even, odd]) {
      d = 1 / away(1 + term * d);
      c = away(1 + term / c);
      change = c * d;
      result *= change;
    }
    if (Math.abs(change - 1) < 1e-14) break;
  }
  return result;
}

/** ln Γ(z) for z > 0, by Lanczos' approximation (g = 7, nine terms). */
function logGamma(z: number): number {
  const [first, ...rest] = LANCZOS;
  const sum = rest.reduce((total, term, index) => total + term / (z + index), first);
  const t = z + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (z - 0.5) * Math.log(t) - t + Math.log(sum);
}

const LANCZOS: readonly [number, ...number[]] = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];
