import { random } from "@coppice/engine/evaluator";
import type { Sampler, SamplerSetting } from "./trial.ts";

/** Places drawn one by one, all equally likely. */
export function randomSampler({ space }: SamplerSetting): Sampler {
  return { next: (_, draws) => Float64Array.from(space.parameters, () => draws.uniform()) };
}

/**
 * Places that fill the cube evenly: the Halton sequence, digit by digit permuted at random (Owen 2017), so that high
 * dimensions do not move in step.
 */
export function haltonSampler(setting: SamplerSetting): Sampler {
  const place = haltonSequence(setting);
  let next = 0;
  return { next: () => place(next++) };
}

/** The place number `index` of the scrambled Halton sequence. */
export function haltonSequence({ space, seed }: SamplerSetting): (index: number) => Float64Array {
  const stream = random(seed).at("halton");
  const digits = primes(space.parameters.length).map((base, d) => {
    const own = stream.at(d);
    const permutations: (readonly number[])[] = [];
    const permutation = (position: number) => {
      permutations[position] ??= own.at(position).shuffle(Array.from({ length: base }, (_, digit) => digit));
      return permutations[position];
    };
    return { base, permutation };
  });
  return (index) =>
    Float64Array.from(digits, ({ base, permutation }) => {
      let place = 0;
      let rest = index;
      // As many digits as a double can tell apart: zeros at the end are permuted like all others.
      for (let position = 0, part = 1 / base; part > 2 ** -53; position++, part /= base) {
        place += part * permutation(position)[rest % base];
        rest = Math.floor(rest / base);
      }
      return Math.min(place, 1 - 2 ** -53);
    });
}

function primes(count: number): readonly number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}
