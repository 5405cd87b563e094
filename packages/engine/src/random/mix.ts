/** Finaliser of MurmurHash3 (A. Appleby): a one-to-one map in which each input bit flips each output bit half of the time. */
export function mix(word: number): number {
  let h = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
