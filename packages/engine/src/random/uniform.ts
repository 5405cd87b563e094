import type { RandomGenerator } from "pure-rand/types/RandomGenerator";

/** A number in [0, 1), one of 2⁵³ equally spaced ones. */
export function uniform(bits: RandomGenerator): number {
  // The lowest bits of xoroshiro128+ are its weakest; both shifts drop them.
  const high = bits.next() >>> 5;
  const low = bits.next() >>> 6;
  return (high * 2 ** 26 + low) / 2 ** 53;
}

/** A whole number in [min, max], both included, each exactly as likely as the others. */
export function integer(bits: RandomGenerator, min: number, max: number): number {
  if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max) || !Number.isSafeInteger(max - min) || max < min) {
    throw new RangeError(`integer(min, max) needs whole numbers with min <= max, not (${min}, ${max})`);
  }
  return min + below(bits, max - min + 1);
}

/** A whole number in [0, count), count at most 2⁵³. Draws just enough bits and draws again when they exceed the range. */
export function below(bits: RandomGenerator, count: number): number {
  if (count <= 1) return 0;
  if (count <= 2 ** 32) {
    const unused = Math.clz32(count - 1);
    for (;;) {
      const drawn = bits.next() >>> unused;
      if (drawn < count) return drawn;
    }
  }
  const unused = Math.clz32(Math.floor((count - 1) / 2 ** 32));
  for (;;) {
    const drawn = (bits.next() >>> unused) * 2 ** 32 + (bits.next() >>> 0);
    if (drawn < count) return drawn;
  }
}
