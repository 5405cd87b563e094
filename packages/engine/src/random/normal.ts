import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { uniform } from "./uniform.ts";

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
