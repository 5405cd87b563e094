import { readCommandFile } from "@coppice/engine/records";
import { UsageError } from "@coppice/engine/usage-error";
import type { Jobs } from "./jobs.ts";

const MOST_WORDS = 200;
const MOST_LETTERS = 32_768;

/** The words that a run was started with, as another one can be: a name of its own is left out. */
export function againWords(directory: string): readonly string[] | undefined {
  const words = readCommandFile(directory)?.words;
  const id = words?.indexOf("--id") ?? -1;
  return words === undefined || id < 0 ? words : words.toSpliced(id, 2);
}

/** Starts the command of a run again, with other words; it has to be the same command. No shell sees any of them. */
export function startAgain(directory: string, words: unknown, jobs: Jobs): object {
  const recorded = readCommandFile(directory);
  if (recorded === undefined) throw new UsageError("it is not known how this run was started");
  const isList = Array.isArray(words) && words.every((word) => typeof word === "string" && !word.includes("\0"));
  if (!isList || words.length > MOST_WORDS || words.join("").length > MOST_LETTERS) {
    throw new UsageError(`words must be a list of at most ${MOST_WORDS} texts, ${MOST_LETTERS} letters together`);
  }
  const fixed = commandOf(recorded.words);
  if (fixed.length === 0 || fixed.some((word, at) => words[at] !== word)) {
    throw new UsageError(`only the options can be changed: the command is ${fixed.join(" ")}`);
  }
  return jobs.start(words as readonly string[], recorded.folder);
}

/** Commands whose second word says which of several they are. */
const WITH_PARTS = ["flow", "tree", "tune", "hooks", "bench", "cluster"];

/** The first word, and the second where it is part of the command's name. */
function commandOf([first, second]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  const isPart = WITH_PARTS.includes(first) && second !== undefined && !second.startsWith("-");
  return isPart ? [first, second] : [first];
}
