import type { ProgressLevel } from "../contract/search.ts";
import { formatDuration, formatPercent, formatRemaining } from "./figures.ts";

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
