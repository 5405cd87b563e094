/** Round values from `from` to `to`, about `count` of them: multiples of 1, 2 or 5 times a power of ten. */
export function valueTicks(from: number, to: number, count: number): number[] {
  if (!(to > from)) return [from];
  const raw = (to - from) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= raw) ?? 10);
  return multiples(from, to, step);
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const timeSteps = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
];

/** Round times from 0 to `toMs`, about `count` of them. */
export function timeTicks(toMs: number, count: number): number[] {
  if (toMs / count < SECOND) return valueTicks(0, toMs, count);
  const step = timeSteps.find((ms) => toMs / ms <= count);
  return step === undefined ? valueTicks(0, toMs / DAY, count).map((days) => days * DAY) : multiples(0, toMs, step);
}

/** Powers of ten from `from` to `to`, both positive. */
export function logTicks(from: number, to: number): number[] {
  const ticks: number[] = [];
  for (let power = Math.ceil(Math.log10(from) - 1e-9); power <= Math.log10(to) + 1e-9; power++) ticks.push(10 ** power);
  return ticks;
}

function multiples(from: number, to: number, step: number): number[] {
  const ticks: number[] = [];
  for (let index = Math.ceil(from / step - 1e-9); index * step <= to + step * 1e-9; index++) {
    ticks.push(Number((index * step).toPrecision(12)));
  }
  return ticks;
}
