/** The bins of a day as the published planner reads them: time of day only, whatever the date. */
export interface DayClock {
  readonly binMinutes: number;
  readonly binCount: number;
}

export const DAY_SECONDS = 86_400;

/** Seconds after midnight of the time's own date, exact to the microsecond. */
export function secondOfDay(second: number): number {
  const microseconds = Math.round(second * 1e6);
  const day = DAY_SECONDS * 1e6;
  return (((microseconds % day) + day) % day) / 1e6;
}

/** Bin of a time of day; seconds are dropped, so that a bin edge belongs to the bin it starts. */
export function binOfSecond(secondOfDay: number, clock: DayClock): number {
  return Math.min(clock.binCount - 1, Math.floor(Math.floor(secondOfDay / 60) / clock.binMinutes));
}
