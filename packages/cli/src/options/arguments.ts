import { InvalidArgumentError } from "commander";

// How people type arguments, and what they are told when it is wrong.

/** Reads a whole number as people write it; anything else (`1.5`, `12abc`, `1e3`, nothing) is refused with the range. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

/** Reads a number from 0 to `most`. */
export function numberUpTo(most: number): (text: string) => number {
  return (text) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (value <= most) return value;
    throw new InvalidArgumentError(`It must be a number from 0 to ${most}.`);
  };
}

/** Reads a number as people write it, within a limit. */
export function realNumber(limit: { readonly least?: number } | { readonly above: number }): (text: string) => number {
  return (text) => {
    const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : Number.NaN;
    const { least = -Number.MAX_VALUE } = "above" in limit ? {} : limit;
    if (Number.isFinite(value) && ("above" in limit ? value > limit.above : value >= least)) return value;
    const range = "above" in limit ? ` above ${limit.above}` : limit.least === undefined ? "" : ` of at least ${least}`;
    throw new InvalidArgumentError(`It must be a ${Math.abs(value) === Infinity ? "finite " : ""}number${range}.`);
  };
}

/** Reads an amount of money as people write it: `2`, `0.50`, `$1.20`. */
export function dollars(text: string): number {
  const value = /^\$?\d+(\.\d+)?$/.test(text) ? Number(text.replace("$", "")) : Number.NaN;
  if (value > 0) return value;
  throw new InvalidArgumentError(
    "It must be an amount in US dollars above 0, such as 0.50: with less, nothing can be asked.",
  );
}

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** Node's timers go no further. */
const LONGEST_MS = 2 ** 31 - 1;

/** Reads a time as people write it, into milliseconds: `500ms`, `30s`, `1.5m`, `2h`; a plain number is seconds. */
export function durationMs(text: string): number {
  const [, digits, unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  if (digits === undefined) {
    throw new InvalidArgumentError("It must be a time such as 500ms, 30s, 5m or 1h; a plain number is seconds.");
  }
  const ms = Math.round(Number(digits) * unitMs[unit as keyof typeof unitMs]);
  if (ms <= LONGEST_MS) return ms;
  throw new InvalidArgumentError(`It must be at most ${LONGEST_MS} ms (24 days).`);
}

/** More workers than this is a slip of the finger. */
const MOST_WORKERS = 1024;

const count = wholeNumber(1, MOST_WORKERS);

/** `auto` for one per core, or how many. */
export function workerCount(text: string): number | "auto" {
  if (text === "auto") return "auto";
  try {
    return count(text);
  } catch {
    throw new InvalidArgumentError(`It must be "auto" or a whole number from 1 to ${MOST_WORKERS}.`);
  }
}

/** Reads names separated by commas. */
export function namesIn(text: string): readonly string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
