import { InvalidArgumentError } from "commander";

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
