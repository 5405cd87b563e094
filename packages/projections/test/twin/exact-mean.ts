/** The arithmetic mean, correctly rounded: summed as exact fractions, divided once. */
export function exactMean(values: readonly number[]): number {
  const SCALE = 1074n;
  let sum = 0n;
  for (const value of values) sum += scaled(value);
  return rounded(sum, BigInt(values.length) << SCALE);

  /** value × 2^1074, an integer for every finite double. */
  function scaled(value: number): bigint {
    const bits = new DataView(new ArrayBuffer(8));
    bits.setFloat64(0, value);
    const high = bits.getUint32(0);
    const exponent = (high >>> 20) & 0x7ff;
    const fraction = (BigInt(high & 0xfffff) << 32n) | BigInt(bits.getUint32(4));
    const mantissa = exponent === 0 ? fraction : fraction | (1n << 52n);
    const magnitude = mantissa << BigInt(Math.max(exponent - 1, 0));
    return value < 0 ? -magnitude : magnitude;
  }
}

/** numerator / denominator rounded to the nearest double, ties to even. */
function rounded(numerator: bigint, denominator: bigint): number {
  if (numerator === 0n) return 0;
  const negative = numerator < 0n;
  const n = negative ? -numerator : numerator;
  // A quotient of at least 2^62 keeps 62 bits; the remainder becomes a sticky last bit, and Number() rounds to even.
  const shift = denominator.toString(2).length - n.toString(2).length + 64;
  const [top, bottom] = shift >= 0 ? [n << BigInt(shift), denominator] : [n, denominator << BigInt(-shift)];
  const quotient = top / bottom;
  const sticky = top % bottom === 0n ? quotient : quotient | 1n;
  const value = Number(sticky) * 2 ** -shift;
  return negative ? -value : value;
}
