import { criticalT } from "./student-t.ts";

/** How sure a depth is not to promote what is no better: the chance that any of its candidates is, over all looks. */
const FAMILY_LEVEL = 0.01;
/** How sure it is that a candidate will not get into the beam before it stops measuring it. */
const PLACE_LEVEL = 0.05;

/** Scores of one candidate against its parent, one per repeat, and of the parent against its own mean. */
export interface Samples {
  readonly candidate: readonly number[];
  /** Null when every score is a comparison already. */
  readonly baseline: readonly number[] | null;
}

/** How a candidate stands after some repeats. */
export interface Standing {
  /** Mean score above the parent's. */
  readonly gain: number;
  /** Standard error of the gain; null with a single measurement. */
  readonly error: number | null;
  readonly freedom: number;
  /** Repeats in which the candidate was better than its parent: than the same repeat, or than the parent's mean. */
  readonly betterRepeats: number;
  readonly repeats: number;
}

/**
 * Gain and its error: of the differences where a repeat is the same for both (paired t), else of two samples whose
 * spreads may differ (Welch).
 */
export function standingOf({ candidate, baseline }: Samples, paired: boolean): Standing {
  const repeats = candidate.length;
  if (baseline === null || paired) {
    const differences = candidate.slice(0, baseline?.length).map((score, index) => score - (baseline?.[index] ?? 0));
    const { mean, variance } = spreadOf(differences);
    const count = differences.length;
    return {
      gain: mean,
      error: count < 2 ? null : Math.sqrt(variance / count),
      freedom: count - 1,
      betterRepeats: differences.filter((difference) => difference > 0).length,
      repeats: count,
    };
  }
  const [a, b] = [spreadOf(candidate), spreadOf(baseline)];
  const [va, vb] = [a.variance / repeats, b.variance / baseline.length];
  const both = va ** 2 / (repeats - 1) + vb ** 2 / (baseline.length - 1);
  return {
    gain: a.mean - b.mean,
    error: repeats < 2 || baseline.length < 2 ? null : Math.sqrt(va + vb),
    freedom: both === 0 ? repeats + baseline.length - 2 : (va + vb) ** 2 / both,
    betterRepeats: candidate.filter((score) => score > b.mean).length,
    repeats,
  };
}

function spreadOf(values: readonly number[]): { readonly mean: number; readonly variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, variance: values.length < 2 ? 0 : squares / (values.length - 1) };
}

/** A candidate of a race: how it stands, and what it is ranked by. */
interface Contender {
  readonly standing: Standing;
  readonly rankScore: number;
}

interface RaceRules {
  readonly beamWidth: number;
  /** A smaller gain is none. */
  readonly leastGain: number;
  /** How often the race is looked at, at most. */
  readonly looks: number;
}

export type Verdict = "better" | "not_better" | "open";

/** What is sure of each contender; of a single measurement, or of one that always comes out the same, its gain is. */
export function verdicts(contenders: readonly Contender[], { leastGain, looks }: RaceRules): Verdict[] {
  const level = FAMILY_LEVEL / Math.max(1, contenders.length) / looks;
  return contenders.map(({ standing }) => {
    const { gain } = standing;
    const half = halfWidth(standing, level);
    if (gain - half > 0 && gain >= leastGain) return "better";
    return gain + half < leastGain || gain + half <= 0 ? "not_better" : "open";
  });
}

/** Which contenders are worth measuring again: their verdict is open, or whether they are among the best is. */
export function stillRacing(contenders: readonly Contender[], rules: RaceRules): boolean[] {
  const sure = verdicts(contenders, rules);
  const bounds = contenders.map(({ standing, rankScore }) => {
    const half = halfWidth(standing, PLACE_LEVEL);
    return { low: rankScore - half, high: rankScore + half };
  });
  return contenders.map((_, i) => {
    if (sure[i] === "not_better") return false;
    const others = contenders.map((_, j) => j).filter((j) => j !== i);
    const ahead = others.filter((j) => sure[j] === "better" && bounds[j].low > bounds[i].high).length;
    if (ahead >= rules.beamWidth) return false;
    const rivals = others.filter((j) => sure[j] !== "not_better" && bounds[j].high >= bounds[i].low).length;
    return sure[i] === "open" || rivals >= rules.beamWidth;
  });
}

/** Half of the interval in which the gain is, but for this chance on either side. */
function halfWidth({ error, freedom }: Standing, level: number): number {
  if (error === null) return Number.POSITIVE_INFINITY;
  return error === 0 ? 0 : error * critical(level, Math.max(1, Math.floor(freedom)));
}

const known = new Map<string, number>();

/** Every look at a race asks for the same few. */
function critical(level: number, freedom: number): number {
  const name = `${level} ${freedom}`;
  const t = known.get(name) ?? criticalT(level, freedom);
  known.set(name, t);
  return t;
}
