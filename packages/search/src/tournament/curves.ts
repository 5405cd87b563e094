import type { ParameterValue } from "./space.ts";
import type { Round } from "./tournament.ts";

/** How a horizon's objective answers to one parameter, everything else as in its baseline. */
export interface Curve {
  readonly pass: number;
  readonly parameter: string;
  readonly horizon: string;
  /** By ascending value; repeated values once. */
  readonly points: readonly CurvePoint[];
}

export interface CurvePoint {
  readonly value: ParameterValue;
  readonly objective: number;
  /** The value the horizon had before. */
  readonly baseline: boolean;
}

/** The curves of a round: what each horizon's own entries scored on that horizon. */
export function curvesOf(round: Round): readonly Curve[] {
  const horizons = [...new Set(round.entries.map((entry) => entry.horizon))];
  return horizons.map((horizon) => {
    const points = new Map<ParameterValue, CurvePoint>();
    for (const entry of round.entries) {
      const objective = entry.objective[horizon] ?? null;
      if (entry.horizon !== horizon || entry.value === undefined || objective === null) continue;
      const baseline = entry.testIndex === 0 || (points.get(entry.value)?.baseline ?? false);
      points.set(entry.value, { value: entry.value, objective, baseline });
    }
    const sorted = [...points.values()].sort((a, b) => ascending(a.value, b.value));
    return { pass: round.pass, parameter: round.parameter, horizon, points: sorted };
  });
}

function ascending(a: ParameterValue, b: ParameterValue): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a) < String(b) ? -1 : 1;
}
