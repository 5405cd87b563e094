import {
  formatCount,
  formatDuration,
  formatMeasured,
  formatPercent,
  formatRate,
  formatRemaining,
  formatValue,
} from "./figures.ts";
import { progressLine } from "./levels.ts";
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
