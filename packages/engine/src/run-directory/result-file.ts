import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Reproducible } from "../contract/event.ts";
import { writeDurably } from "../files/write-whole.ts";
import { UsageError } from "../usage-error.ts";
import { decode, encode } from "../values/encode.ts";
import type { JournalSeal } from "./result-check.ts";

/** What `result.json` holds. */
export interface ResultFile {
  readonly id: string;
  readonly digest: string;
  readonly tells: number;
  readonly reproducible: Reproducible;
  readonly result: unknown;
  /** The journal it came from; older results do not say. */
  readonly journal?: JournalSeal;
}

const NAME = "result.json";

/** `result.json`: the answer, encoded exactly, and how far it can be trusted to come again. */
export function writeResultFile(directory: string, file: ResultFile): void {
  writeDurably(join(directory, NAME), `${JSON.stringify(JSON.parse(encode(file)), null, 2)}\n`);
}

/** The answer of a finished run; undefined while there is none. */
export function readResultFile(directory: string): ResultFile | undefined {
  const path = join(directory, NAME);
  if (!existsSync(path)) return undefined;
  let text = "";
  try {
    text = readFileSync(path, "utf8");
    const file = decode(text) as ResultFile | null;
    if (typeof file?.digest !== "string" || typeof file.tells !== "number") throw new Error("it has no digest");
    return file;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    // It is written whole, with a line break at its end.
    const how = text.endsWith("\n") ? `damaged (${why})` : `cut off after ${text.length} characters`;
    throw new UsageError(`${path} is ${how}: resume the run, which writes it again from the journal`);
  }
}
