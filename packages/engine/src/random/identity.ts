/**
 * 128 bits that name one place in the tree of random streams: a seed, then names going down.
 *
 * A child's identity is a hash of its parent's identity and its own name, so it never depends on what was drawn.
 */
export type Identity = readonly [number, number, number, number];

/** The identity of a seed. */
export function rootIdentity(seed: number): Identity {
  if (!Number.isSafeInteger(seed)) {
    throw new RangeError(
      `a seed is a whole number between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}, not ${String(seed)}`,
    );
  }
  const low = seed | 0;
  const high = Math.floor(seed / 2 ** 32) | 0;
  // The first 128 bits of the fractional part of the golden ratio, with the seed in two of the words.
  return finish(0x9e3779b9 ^ low, 0x7f4a7c15 ^ high, 0xf39cc060, 0x5cedc834, 0);
}

/** The identity of the place called `name` below `parent`. */
export function childIdentity(parent: Identity, name: string): Identity {
  let [a, b, c, d] = parent;
  // Every step can be undone given the character, so two parents never meet under the same name.
  for (let i = 0; i < name.length; i++) {
    a = (rotate(Math.imul(a ^ name.charCodeAt(i), 0xcc9e2d51), 15) + d) | 0;
    b = rotate(Math.imul(b ^ a, 0x1b873593), 17);
    c = rotate(Math.imul(c ^ b, 0x9e3779b1), 13);
    d = rotate(Math.imul(d ^ c, 0x85ebca77), 19);
  }
  return finish(a, b, c, d, name.length + 1);
}

/** Spreads every bit over all four words, in two rounds. */
function finish(a: number, b: number, c: number, d: number, length: number): Identity {
  a = mix(a ^ length);
  b = mix(b ^ a);
  c = mix(c ^ b);
  d = mix(d ^ c);
  a = mix((a + d) | 0);
  b = mix((b + a) | 0);
  c = mix((c + b) | 0);
  d = mix((d + c) | 0);
  return [a, b, c, d];
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** Finaliser of MurmurHash3 (A. Appleby): a one-to-one map in which each input bit flips each output bit half of the time. */
export function mix(word: number): number {
  let h = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
