/** One thing the doctor looked at. */
export interface Finding {
  readonly name: string;
  /** `note`: it works, but one should know; `missing`: something optional is not there; `broken`: it is there and does not do. */
  readonly state: "good" | "note" | "missing" | "broken";
  /** Without it nothing can be run: broken, it makes the doctor's exit code 1. */
  readonly needed: boolean;
  /** What was found, in one line. */
  readonly says: string;
  /** What to do about it. */
  readonly advice?: string;
  /** The same as data. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** A number of bytes as people read it. */
export function bytesText(bytes: number): string {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const value = bytes / 1024 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}
