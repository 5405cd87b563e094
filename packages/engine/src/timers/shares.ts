import type { TimerTotals } from "../contract/event.ts";

/** One name's part of the wall time. */
export interface TimerShare {
  readonly name: string;
  readonly count: number;
  /** Time with at least one timer of this name running, nested timers included. */
  readonly ms: number;
  /** Time in which no other timer ran inside it. */
  readonly selfMs: number;
  /** `selfMs` ÷ wall, 0 … 1. Over all names this sums to at most 1. */
  readonly share: number;
  /** `ms` ÷ wall, 0 … 1. Overlaps with the names nested inside. */
  readonly totalShare: number;
}

/** Adds up totals name by name: drains of one worker, or workers of one run. */
export function addTimerTotals(...parts: readonly TimerTotals[]): TimerTotals {
  const sum = new Map<string, TimerTotals[string]>();
  for (const part of parts) {
    for (const [name, { ms, selfMs, count }] of Object.entries(part)) {
      const had = sum.get(name) ?? { ms: 0, selfMs: 0, count: 0 };
      sum.set(name, { ms: had.ms + ms, selfMs: had.selfMs + selfMs, count: had.count + count });
    }
  }
  return Object.fromEntries(sum);
}

/**
 * Each name's share of `wallMs`, largest first. For totals of several workers `wallMs` is the sum of their wall times.
 * A wall shorter than what was timed (two clocks, or a worker still starting) is taken as long as that.
 */
export function timerShares(totals: TimerTotals, wallMs: number): TimerShare[] {
  const entries = Object.entries(totals);
  const timed = entries.reduce((sum, [, total]) => sum + total.selfMs, 0);
  const wall = Math.max(wallMs, timed);
  const part = (ms: number) => (wall > 0 ? Math.min(1, ms / wall) : 0);
  return entries
    .map(([name, { ms, selfMs, count }]) => ({
      name,
      count,
      ms,
      selfMs,
      share: part(selfMs),
      totalShare: part(ms),
    }))
    .sort((a, b) => b.share - a.share || (a.name < b.name ? -1 : 1));
}
