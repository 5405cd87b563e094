import type { Configuration, Parameter, ParameterValue } from "./parameter.ts";

/** One tested configuration: a horizon's baseline with one value of one parameter. */
export interface Entry {
  /** The horizon whose baseline it was derived from. */
  readonly horizon: string;
  /** 0 is the baseline's own value. */
  readonly testIndex: number;
  readonly value: ParameterValue | undefined;
}

/** The best a horizon has seen. */
export interface Best<Result> extends Entry {
  readonly pass: number;
  readonly parameter: string;
  readonly configuration: Configuration;
  readonly result: Result;
}

/** A parameter's round: every entry with its objective on every horizon (null: none, failed or frozen). */
export interface Round {
  readonly pass: number;
  readonly index: number;
  readonly parameter: string;
  readonly entries: readonly (Entry & { readonly objective: Readonly<Record<string, number | null>> })[];
  /** By the horizons that took over another configuration: the place of the entry that it was. */
  readonly adopted: Readonly<Record<string, number>>;
}

/** The best of every horizon. */
export interface Bests<Result> {
  readonly best: Readonly<Record<string, Best<Result>>>;
  /** Each horizon's best configuration, or its start if nothing counted yet. */
  readonly configurations: Readonly<Record<string, Configuration>>;
}

/** A configuration that was tried in no round, by a sampler. */
export interface SampledEntry {
  /** Whose turn it was. */
  readonly horizon: string;
  readonly configuration: Configuration;
  /** By horizon; null where it has none. */
  readonly objective: Readonly<Record<string, number | null>>;
}

/** What a tournament ends with. */
export interface TournamentResult<Result> extends Bests<Result> {
  /** What was tuned, and where each horizon started. */
  readonly parameters: readonly Parameter[];
  readonly baseline: Readonly<Record<string, Configuration>>;
  readonly rounds: readonly Round[];
  /** Configurations that were tried in no rounds, by a sampler: also those that are not in `trials`, of a validation. */
  readonly tried?: number;
  /** In the order they were asked, where a sampler chose them. */
  readonly trials?: readonly SampledEntry[];
  readonly passes: number;
  /** What cross-validation gained on what was left out in turn, by charge, as a part; and the charge it took. */
  readonly leftOut?: {
    readonly charge: number;
    readonly changes: readonly { readonly charge: number; readonly byHorizon: Readonly<Record<string, number>> }[];
  };
  /** False when the passes ran out before a pass changed nothing. */
  readonly converged: boolean;
}

/** How a horizon's objective answers to one parameter, everything else as in its baseline. */
export interface Curve {
  readonly pass: number;
  readonly parameter: string;
  readonly horizon: string;
  /** By ascending value; repeated values once. */
  readonly points: readonly CurvePoint[];
}

/** What one value of a parameter was worth. */
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
