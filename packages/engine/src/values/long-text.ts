/** From this length on a text is looked through in words of four characters before it is quoted. */
export const LONG_TEXT = 4096;

const BLOCK = 65_536;
/** A little longer than a block, so that a block with a character of several bytes is seen to take more than its length. */
const bytes = Buffer.alloc(BLOCK + 4);
const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);

/** `JSON.stringify(text)`, three times as fast for a long text that has nothing to escape. */
export function quote(text: string): string {
  for (let from = 0; from < text.length; from += BLOCK) {
    if (!isVerbatim(text.slice(from, from + BLOCK))) return JSON.stringify(text);
  }
  return `"${text}"`;
}

/** True when JSON writes the part as it is: ASCII without quotes, backslashes and control characters. */
function isVerbatim(part: string): boolean {
  if (bytes.write(part) !== part.length) return false;
  const count = (part.length + 3) >> 2;
  bytes.fill(" ", part.length, count * 4);
  // All bytes are below 0x80. Taking away borrows into the high bit exactly where a byte is too small; a hit may spoil
  // the bytes above it in its word, never hide itself.
  let hits = 0;
  for (let i = 0; i < count; i++) {
    const word = words[i] as number;
    hits |= (word - SPACES) | ((word ^ QUOTES) - ONES) | ((word ^ BACKSLASHES) - ONES);
  }
  return (hits & HIGH_BITS) === 0;
}

const HIGH_BITS = 0x80808080;
const SPACES = 0x20202020;
const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;
const ONES = 0x01010101;
