/** Symmetric matrices by rows in flat arrays, for as many dimensions as a search has parameters. */

/** Eigenvalues and eigenvectors (columns of `vectors`) by Jacobi's rotations. */
export function eigen(
  matrix: Float64Array,
  n: number,
): { readonly values: Float64Array; readonly vectors: Float64Array } {
  const a = Float64Array.from(matrix);
  const vectors = new Float64Array(n * n);
  for (let i = 0; i < n; i++) vectors[i * n + i] = 1;
  for (let sweep = 0; sweep < 60 && offDiagonal(a, n) > 1e-26 * trace(a, n) ** 2; sweep++) {
    for (let p = 0; p < n - 1; p++) {
      for (let q = p + 1; q < n; q++) if (a[p * n + q] !== 0) rotate(a, vectors, n, p, q);
    }
  }
  return { values: Float64Array.from({ length: n }, (_, i) => a[i * n + i]), vectors };
}

/** The matrix with the same eigenvectors and each eigenvalue put through `f`. */
export function spectral(
  { values, vectors }: ReturnType<typeof eigen>,
  n: number,
  f: (eigenvalue: number) => number,
): Float64Array {
  const result = new Float64Array(n * n);
  for (let k = 0; k < n; k++) {
    const value = f(values[k]);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) result[i * n + j] += value * vectors[i * n + k] * vectors[j * n + k];
    }
  }
  return result;
}

export function timesVector(matrix: Float64Array, n: number, vector: ArrayLike<number>): Float64Array {
  const result = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += matrix[i * n + j] * vector[j];
    result[i] = sum;
  }
  return result;
}

/** Turns rows and columns p and q so that the element between them becomes 0. */
function rotate(a: Float64Array, vectors: Float64Array, n: number, p: number, q: number): void {
  const theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < n; k++) {
    const kp = a[k * n + p];
    const kq = a[k * n + q];
    a[k * n + p] = c * kp - s * kq;
    a[k * n + q] = s * kp + c * kq;
  }
  for (let k = 0; k < n; k++) {
    const pk = a[p * n + k];
    const qk = a[q * n + k];
    a[p * n + k] = c * pk - s * qk;
    a[q * n + k] = s * pk + c * qk;
    const vp = vectors[k * n + p];
    const vq = vectors[k * n + q];
    vectors[k * n + p] = c * vp - s * vq;
    vectors[k * n + q] = s * vp + c * vq;
  }
}

function offDiagonal(a: Float64Array, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) sum += a[i * n + j] ** 2;
  return sum;
}

function trace(a: Float64Array, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += Math.abs(a[i * n + i]);
  return sum;
}
