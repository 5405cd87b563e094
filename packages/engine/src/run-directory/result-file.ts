import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Reproducible } from "../contract/event.ts";
import { decode, encode } from "../values/encode.ts";
import { writeAtomically } from "./run-file.ts";

export interface ResultFile {
  readonly id: string;
  readonly digest: string;
  readonly tells: number;
  readonly reproducible: Reproducible;
  readonly result: unknown;
}

/** `result.json`: the answer, encoded exactly, and how far it can be trusted to come again. */
export function writeResultFile(directory: string, file: ResultFile): void {
  writeAtomically(join(directory, "result.json"), `${JSON.stringify(JSON.parse(encode(file)), null, 2)}\n`);
}

/** The answer of a finished run; undefined while there is none. */
export function readResultFile(directory: string): ResultFile | undefined {
  try {
    return decode(readFileSync(join(directory, "result.json"), "utf8")) as ResultFile;
  } catch {
    return undefined;
  }
}
