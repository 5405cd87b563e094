import type { Comparison, Grade, Metrics } from "../contract.ts";
import type { ScoreConfig } from "../settings.ts";

type ColumnScore = Extract<ScoreConfig, { kind: "columns" }>;

/** A base this small is zero: changes against it count as they are. */
const ZERO = 1e-12;
const MOST_RELATIVE = 2;
/** From this score on a change is worth exploring whatever the single metrics say. */
export const EXPLORE_SCORE = 0.03;

/** Grades by score, from the best down. */
const GRADES: readonly (readonly [number, Grade])[] = [
  [0.1, "strong"],
  [0.03, "promising"],
  [-0.02, "mixed"],
];

export function gradeOf(score: number): Grade {
  return GRADES.find(([least]) => score >= least)?.[1] ?? "weak";
}

/** Means of a table and how many rows they are of. */
export interface Measured {
  readonly metrics: Metrics;
  readonly rows: number;
}

/**
 * Candidate against baseline: score = Σ w·rel / Σ w over the metrics both have, where rel = ±(candidate − baseline) /
 * |baseline| (1 for a baseline of zero), clamped to [−2, 2] and signed so that better is positive.
 */
export function compare(candidate: Measured, baseline: Measured, config: ColumnScore): Comparison {
  const changes = config.metrics.flatMap((metric) => {
    const change = changeOf(metric.column, metric.better, candidate.metrics, baseline.metrics);
    return change === undefined ? [] : [{ ...metric, ...change }];
  });
  const weights = changes.reduce((sum, { weight }) => sum + weight, 0);
  const score = weights === 0 ? 0 : changes.reduce((sum, { weight, relative }) => sum + weight * relative, 0) / weights;
  const positives = changes.filter(({ relative }) => relative > 0).length;
  const negatives = changes.filter(({ relative }) => relative < 0).length;

  const reasons: string[] = [];
  const primary = changes.find(({ column }) => column === config.primary);
  const primaryWorse = primary !== undefined && primary.relative < (primary.fromZero ? 0 : -config.primaryTolerance);
  if (primaryWorse) reasons.push(`${config.primary} is worse by ${percent(primary.relative)}`);
  const risk = riskOf(candidate.metrics, baseline.metrics, config);
  if (risk !== undefined) reasons.push(risk);
  const better = score >= EXPLORE_SCORE || positives >= Math.max(2, negatives + 2);
  if (!better)
    reasons.push(
      `score ${score.toFixed(4)} is below ${EXPLORE_SCORE} and ${positives} of ${changes.length} metrics are better`,
    );
  if (changes.length === 0) reasons.push("no metric is in both results");
  return {
    shouldExplore: !primaryWorse && risk === undefined && better,
    grade: gradeOf(score),
    score,
    primaryDelta: primary?.delta ?? null,
    baselineRows: baseline.rows,
    candidateRows: candidate.rows,
    reasons,
    ...(config.gateTolerance !== undefined && {
      primaryRegressed: primary !== undefined && primary.relative < (primary.fromZero ? 0 : -config.gateTolerance),
    }),
  };
}

interface Change {
  /** Signed so that better is positive. */
  readonly delta: number;
  readonly relative: number;
  readonly fromZero: boolean;
}

function changeOf(
  column: string,
  better: "higher" | "lower",
  candidate: Metrics,
  baseline: Metrics,
): Change | undefined {
  if (!Object.hasOwn(candidate, column) || !Object.hasOwn(baseline, column)) return undefined;
  const [after, before] = [candidate[column], baseline[column]];
  const delta = better === "higher" ? after - before : before - after;
  const fromZero = Math.abs(before) <= ZERO;
  const relative = delta / (fromZero ? 1 : Math.abs(before));
  return { delta, relative: Math.min(MOST_RELATIVE, Math.max(-MOST_RELATIVE, relative)), fromZero };
}

function riskOf(candidate: Metrics, baseline: Metrics, { risk, metrics }: ColumnScore): string | undefined {
  if (risk === null) return undefined;
  const better = metrics.find(({ column }) => column === risk.column)?.better ?? "higher";
  const change = changeOf(risk.column, better, candidate, baseline);
  if (change === undefined || change.relative >= -risk.worseBy) return undefined;
  return `${risk.column} is worse by ${percent(change.relative)}, more than the risk rule's ${percent(risk.worseBy)}`;
}

function percent(share: number): string {
  return `${(Math.abs(share) * 100).toFixed(1)} %`;
}
