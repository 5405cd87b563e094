import { UsageError } from "../usage-error.ts";

interface WholeNumber {
  readonly name: string;
  readonly least: number;
  readonly most: number;
}

/** Refuses anything but a whole number in range, with a line that names the option. */
export function wholeNumber(value: number, { name, least, most }: WholeNumber): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw new UsageError(`${name} must be a whole number from ${least} to ${most}, not ${String(value)}`);
}

/** Milliseconds, zero for none. Timers of Node go up to 2^31 − 1. */
export function milliseconds(value: number, name: string): number {
  if (Number.isFinite(value) && value >= 0 && value <= 2 ** 31 - 1) return value;
  throw new UsageError(`${name} must be between 0 (none) and ${2 ** 31 - 1} milliseconds, not ${String(value)}`);
}
