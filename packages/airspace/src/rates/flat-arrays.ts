/** Where each of several lists begins when they are laid end to end; the last entry is the total length. */
export function offsets(sizes: readonly number[]): Int32Array {
  const result = new Int32Array(sizes.length + 1);
  sizes.forEach((size, i) => {
    result[i + 1] = result[i] + size;
  });
  return result;
}

/** Several lists laid end to end in one typed array. */
export function concatenated<A extends Int32Array | Float64Array>(
  Kind: new (length: number) => A,
  parts: readonly ArrayLike<number>[],
): A {
  const result = new Kind(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}
