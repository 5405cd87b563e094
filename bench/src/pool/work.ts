/** One task of the benchmark: a fixed amount of arithmetic, and a text to carry to the worker. */
export interface Work {
  readonly iterations: number;
  readonly payload: string;
}

/** Does the work and gives a number back; the same code on every side, and nothing in it looks at a clock. */
export function doWork({ iterations, payload }: Work): number {
  // A no-op stays out of the loop: its type feedback would make the loop a third slower for the rest of the run.
  return iterations === 0 ? payload.length : burn(iterations) + payload.length;
}

/** A small hot loop of integer arithmetic that cannot be optimised away. */
function burn(iterations: number): number {
  let x = 0x9e3779b9 | 0;
  for (let i = 0; i < iterations; i++) {
    x = Math.imul(x ^ (x >>> 15), 0x85ebca6b) + i;
    x ^= x >>> 13;
  }
  return x >>> 0;
}

/** Iterations of {@link burn} that take a millisecond here: the best of several tries, so that a busy moment does not count. */
export function iterationsPerMs(): number {
  const iterations = 200_000;
  let bestMs = Number.POSITIVE_INFINITY;
  let sink = 0;
  for (let i = 0; i < 60; i++) {
    const start = performance.now();
    sink ^= burn(iterations + (sink & 1));
    bestMs = Math.min(bestMs, performance.now() - start);
  }
  return iterations / bestMs;
}
