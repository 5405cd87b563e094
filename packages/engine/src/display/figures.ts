// How numbers are written for people, the same in every reader.

/** Whole seconds, rounded down: `8s`, `2m 05s`, `1h 02m`, `3d 04h`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${twoDigits(seconds % 60)}s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours}h ${twoDigits(minutes % 60)}m`;
  return `${Math.floor(hours / 24)}d ${twoDigits(hours % 24)}h`;
}

/** Time that is still to pass, rounded up: only what is over takes `0s`. */
export function formatRemaining(ms: number): string {
  return formatDuration(Math.ceil(ms / 1000) * 1000);
}

/** A measured time, three significant digits below a minute: `0.42 ms`, `17.3 ms`, `2.51 s`, `2m 05s`. */
export function formatMeasured(ms: number): string {
  if (ms >= 59_950) return formatDuration(Math.round(ms / 1000) * 1000);
  return ms >= 999.5 ? `${threeDigits(ms / 1000)} s` : `${threeDigits(ms)} ms`;
}

/** `1,234,567`. By hand, because `Intl` takes longer to load than many a run. */
export function formatCount(count: number): string {
  return count.toFixed(0).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** A number of things in words: `1 worker`, `1,204 workers`. */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Per second, or per minute when that is below one: `1,204/s`, `3.2/s`, `12/min`. */
export function formatRate(perSecond: number): string {
  if (perSecond >= 99.95) return `${formatCount(perSecond)}/s`;
  if (perSecond >= 1) return `${perSecond.toFixed(1)}/s`;
  const perMinute = perSecond * 60;
  return `${perMinute >= 10 || perMinute === 0 ? perMinute.toFixed(0) : perMinute.toFixed(1)}/min`;
}

/** `40.6%` of a part of 1. */
export function formatPercent(part: number): string {
  return `${(part * 100).toFixed(1)}%`;
}

/** A value in the search's own unit, six significant digits. */
export function formatValue(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return formatCount(value);
  return String(Number(value.toPrecision(6)));
}

function threeDigits(value: number): string {
  if (value === 0) return "0";
  const digits = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return value.toFixed(digits);
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
