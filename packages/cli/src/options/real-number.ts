import { InvalidArgumentError } from "commander";

/** Reads a number as people write it, within a limit. */
export function realNumber(limit: { readonly least: number } | { readonly above: number }): (text: string) => number {
  return (text) => {
    const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : Number.NaN;
    if ("least" in limit ? value >= limit.least : value > limit.above) return value;
    const range = "least" in limit ? `from ${limit.least} on` : `above ${limit.above}`;
    throw new InvalidArgumentError(`It must be a number ${range}.`);
  };
}
