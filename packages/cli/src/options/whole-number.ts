import { InvalidArgumentError } from "commander";

export interface WholeNumberRange {
  readonly least: number;
  readonly most: number;
}

/** Reads a whole number as people write it; anything else (`1.5`, `12abc`, `1e3`, nothing) is refused with the range. */
export function wholeNumber({ least, most }: WholeNumberRange): (text: string) => number {
  return (text) => {
    const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}
