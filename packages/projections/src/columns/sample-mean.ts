/**
 * The arithmetic mean of values[0 … count − 1], rounded once: the sum is carried in two doubles (Knuth's two-sum) and
 * the division corrected by its remainder (Dekker's product).
 */
export function sampleMean(values: Float64Array, count: number): number {
  let high = 0;
  let low = 0;
  for (let i = 0; i < count; i++) {
    const sum = high + values[i];
    const part = sum - high;
    low += high - (sum - part) + (values[i] - part);
    high = sum;
  }
  const quotient = high / count;
  // count ≤ 16 has few bits, so splitting the quotient alone makes both partial products exact.
  const split = quotient * 134217729;
  const head = split - (split - quotient);
  const tail = quotient - head;
  const remainder = high - head * count - tail * count;
  return quotient + (remainder + low) / count;
}
