import { mix } from "./identity.ts";

const LOW_21_BITS = 0x1fffff;

/**
 * The seed of one evaluation, an integer in [0, 2^53): a function of the run's seed and the task's key and nothing else,
 * so that a retry, another worker or another machine draws the same numbers.
 *
 * Two 32-bit lanes, each seed word and UTF-16 unit multiplied in (FNV-1a with two odd constants) and finalised by
 * MurmurHash3's mixer, joined to 53 bits.
 */
export function taskSeed(runSeed: number, key: string): number {
  const seedLow = runSeed | 0;
  const seedHigh = Math.floor(runSeed / 0x100000000) | 0;
  let a = Math.imul(0x811c9dc5 ^ seedLow, 0x01000193) ^ seedHigh;
  let b = Math.imul(0x9e3779b9 ^ seedHigh, 0x85ebca6b) ^ seedLow;
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x85ebca6b);
    b ^= b >>> 15;
  }
  return (mix(b ^ key.length) & LOW_21_BITS) * 0x100000000 + (mix(a ^ Math.imul(b, 0x27d4eb2f)) >>> 0);
}
