import type { ProgressLevel } from "../contract/search.ts";
import {
  formatCount,
  formatDuration,
  formatMeasured,
  formatPercent,
  formatRate,
  formatRemaining,
  formatValue,
} from "./figures.ts";
import type { RunSnapshot } from "./run-view.ts";

/** The parts of the aggregate line: done/total, rate, best value, failures, elapsed, ETA. */
export function summaryParts(run: RunSnapshot): string[] {
  // With levels the fraction is theirs, not the tasks'; their own line says it.
  const percent = run.levels.length > 0 || run.work !== undefined ? "" : ` (${formatPercent(run.fraction)})`;
  const parts = [`${formatCount(run.told)}/${formatCount(run.asked)} tasks${percent}`];
  const { work } = run;
  if (work !== undefined) parts.push(`${formatCount(work.done)}/${formatCount(work.total)} ${work.unit}`);
  const rate = work === undefined ? run.rate : work.rate;
  if (run.end === undefined && rate !== undefined) parts.push(formatRate(rate));
  if (run.best !== undefined) parts.push(`best ${formatValue(run.best)}`);
  if (run.counts.failed > 0) parts.push(`${formatCount(run.counts.failed)} failed`);
  if (run.counts.retried > 0) parts.push(`${formatCount(run.counts.retried)} retried`);
  if (run.end === undefined) {
    parts.push(`elapsed ${formatDuration(run.elapsedMs)}`);
    if (run.etaMs !== undefined) parts.push(`ETA ${formatRemaining(run.etaMs)}`);
  } else parts.push(`in ${formatMeasured(run.elapsedMs)}`);
  return parts;
}

/** The multi-level progress line of a run whose search has levels. */
export function levelsLine(run: RunSnapshot): string | undefined {
  if (run.levels.length === 0) return undefined;
  return progressLine(run.levels, run.elapsedMs, run.end === undefined ? (run.etaMs ?? null) : null, run.fraction);
}

/** `1,204/2,000 tasks (60.2%) · 312/s · best 0.4213 · elapsed 2m 15s · ETA 3m 18s`. */
export function summaryLine(run: RunSnapshot): string {
  return summaryParts(run).join(" · ");
}

/**
 * How far a run is over all its levels, outer to inner, 0 … 1: an outer step in progress counts for as much as its
 * inner level is done, `(outerDone + innerDone ÷ innerTotal) ÷ outerTotal`. A level without steps has nothing to do.
 */
export function overallFraction(levels: readonly ProgressLevel[]): number {
  const [outer, ...inner] = levels;
  if (outer === undefined) return 0;
  if (outer.total <= 0) return 1;
  // An inner level that ran out of steps says nothing of the outer step it belongs to.
  const within = inner.length > 0 && inner[0].total > 0 ? overallFraction(inner) : 0;
  return Math.min(1, Math.max(0, (outer.done + within) / outer.total));
}

/**
 * What is left of a run after `elapsedMs`, at the pace so far; undefined before anything is done. `startFraction` was
 * done before the clock began (reused from a journal).
 */
export function remainingMs(fraction: number, elapsedMs: number, startFraction = 0): number | undefined {
  if (fraction >= 1) return 0;
  const gained = fraction - startFraction;
  return gained > 0 ? (elapsedMs * (1 - fraction)) / gained : undefined;
}

/**
 * `Configs: 42/105 (40.0%) | Horizons: 3/5 (60.0%) | Overall: 40.6% | Elapsed: 2m 15s | ETA: 3m 18s`. The ETA follows
 * from the pace so far unless a better one is given; `null` leaves it out.
 */
export function progressLine(
  levels: readonly ProgressLevel[],
  elapsedMs: number,
  etaMs: number | null = remainingMs(overallFraction(levels), elapsedMs) ?? null,
  fraction: number = overallFraction(levels),
): string {
  return [
    ...levels.map(
      ({ name, done, total }) => `${name}: ${done}/${total} (${formatPercent(total > 0 ? done / total : 1)})`,
    ),
    `Overall: ${formatPercent(fraction)}`,
    `Elapsed: ${formatDuration(elapsedMs)}`,
    ...(etaMs === null ? [] : [`ETA: ${formatRemaining(etaMs)}`]),
  ].join(" | ");
}
