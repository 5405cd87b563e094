/** What one search on its own reaches: mean objective for each number of evaluations. */
export type SerialCurve = readonly { readonly evaluations: number; readonly objective: number }[];

/**
 * Evaluations with which one search would reach an objective, by the straight line through the curve over the logarithm
 * of evaluations: single points are too noisy to read off. Infinite where more evaluations do not help.
 */
export function evaluationsFor(curve: SerialCurve, objective: number): number {
  const points = curve.map((point) => ({ x: Math.log(point.evaluations), y: point.objective }));
  const [x, y] = [mean(points.map((point) => point.x)), mean(points.map((point) => point.y))];
  const slope =
    mean(points.map((point) => (point.x - x) * (point.y - y))) / mean(points.map((point) => (point.x - x) ** 2));
  return slope < 0 ? Math.exp(x + (objective - y) / slope) : Number.POSITIVE_INFINITY;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
