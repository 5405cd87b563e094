import { InvalidArgumentError } from "commander";
import { wholeNumber } from "./whole-number.ts";

/** More workers than this is a slip of the finger. */
const MOST_WORKERS = 1024;

const count = wholeNumber({ least: 1, most: MOST_WORKERS });

/** `auto` for one per core, or how many. */
export function workerCount(text: string): number | "auto" {
  if (text === "auto") return "auto";
  try {
    return count(text);
  } catch {
    throw new InvalidArgumentError(`It must be "auto" or a whole number from 1 to ${MOST_WORKERS}.`);
  }
}
