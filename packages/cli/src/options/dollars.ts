import { InvalidArgumentError } from "commander";

/** Reads an amount of money as people write it: `2`, `0.50`, `$1.20`. */
export function dollars(text: string): number {
  const value = /^\$?\d+(\.\d+)?$/.test(text) ? Number(text.replace("$", "")) : Number.NaN;
  if (value > 0) return value;
  throw new InvalidArgumentError(
    "It must be an amount in US dollars above 0, such as 0.50: with less, nothing can be asked.",
  );
}
