import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isPlainFile } from "../files/if-there.ts";
import { writeDurably } from "../files/write-whole.ts";

/** The command line that started a run. */
export interface TypedCommand {
  /** Without the program's name, as its process got them. */
  readonly words: readonly string[];
  /** Where it was typed. */
  readonly folder: string;
}

const NAME = "command.json";

/** Keeps how a run was started, so that it can be started again; no part of what it is resumed from. */
export function writeCommandFile(directory: string, command: TypedCommand): void {
  writeDurably(join(directory, NAME), `${JSON.stringify(command)}\n`);
}

/** How a run was started; undefined if nobody typed it, or it cannot be read. A link could lead out of the run. */
export function readCommandFile(directory: string): TypedCommand | undefined {
  const path = join(directory, NAME);
  if (!isPlainFile(path)) return undefined;
  try {
    const { words, folder } = JSON.parse(readFileSync(path, "utf8")) as Partial<TypedCommand>;
    const isWhole = Array.isArray(words) && words.every((word) => typeof word === "string");
    return isWhole && typeof folder === "string" ? { words, folder } : undefined;
  } catch {
    return undefined;
  }
}
