/** How a section's thresholds follow from its base position and step. */
export const DIRECTIONS = ["INCREASING", "DECREASING", "BI_EXCELLENT_HI", "BI_EXCELLENT_LOW"] as const;
type Direction = (typeof DIRECTIONS)[number];

/** Thresholds in steps from the base: excellent, good, poor, very poor. */
const STEPS_FROM_BASE: Readonly<Record<Direction, readonly [number, number, number, number]>> = {
  INCREASING: [4, 3, 2, 1],
  DECREASING: [1, 2, 3, 4],
  BI_EXCELLENT_HI: [2, 1, -1, -2],
  BI_EXCELLENT_LOW: [-2, -1, 1, 2],
};

export interface LadderShape {
  readonly basePosition: number;
  readonly direction: Direction;
  readonly steps: number;
  /** Multipliers of excellent, good, poor, very poor. */
  readonly multipliers: readonly [number, number, number, number];
  readonly weight: number;
  /** Interpolate between thresholds instead of stepping. */
  readonly linear: boolean;
}

/**
 * Four thresholds and what they multiply a score by: multiplier ** weight, 1 between good and poor.
 *
 * A rising factor is better when larger, a falling one when smaller; that is a property of the factor, not of the
 * direction its thresholds run in.
 */
export interface Ladder {
  readonly rising: boolean;
  /** Excellent, good, poor, very poor. */
  readonly thresholds: readonly [number, number, number, number];
  /** multiplier ** weight of the same tiers. */
  readonly weighted: readonly [number, number, number, number];
  readonly shape: LadderShape;
}

export function ladder(shape: LadderShape, rising: boolean): Ladder {
  const { basePosition: base, steps, weight } = shape;
  const [e, g, p, v] = STEPS_FROM_BASE[shape.direction];
  const [me, mg, mp, mv] = shape.multipliers;
  return {
    rising,
    thresholds: [base + e * steps, base + g * steps, base + p * steps, base + v * steps],
    weighted: [me ** weight, mg ** weight, mp ** weight, mv ** weight],
    shape,
  };
}

/** The weighted multiplier of a value; boundaries belong to the outer tier, excellent is tested first. */
export function multiplierAt(ladder: Ladder, value: number): number {
  if (ladder.shape.linear) return interpolated(ladder, value) ** ladder.shape.weight;
  const { 0: excellent, 1: good, 2: poor, 3: veryPoor } = ladder.thresholds;
  const { 0: e, 1: g, 2: p, 3: v } = ladder.weighted;
  if (ladder.rising) {
    if (value >= excellent) return e;
    if (value >= good) return g;
    if (value <= veryPoor) return v;
    if (value <= poor) return p;
    return 1;
  }
  if (value <= excellent) return e;
  if (value <= good) return g;
  if (value >= veryPoor) return v;
  if (value >= poor) return p;
  return 1;
}

/** Piecewise linear over the (threshold, multiplier) anchors, constant outside them, exact at each. */
function interpolated(ladder: Ladder, value: number): number {
  const anchors = ladder.thresholds
    .map((threshold, i) => [threshold, ladder.shape.multipliers[i] ?? 1] as const)
    .sort(([a], [b]) => a - b);
  let below = anchors[0];
  for (const anchor of anchors) {
    if (value === anchor[0]) return anchor[1];
    if (value < anchor[0]) {
      if (below === undefined || below === anchor) return anchor[1];
      const [x0, y0] = below;
      const [x1, y1] = anchor;
      return y0 + ((y1 - y0) * (value - x0)) / (x1 - x0);
    }
    below = anchor;
  }
  return below?.[1] ?? 1;
}
