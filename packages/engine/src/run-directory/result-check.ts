import { hash } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { fileHash } from "../files/file-hash.ts";
import { lastEntry } from "../journal/last-entry.ts";
import { encode } from "../values/encode.ts";
import type { ResultFile } from "./result-file.ts";

/** The journal that a result came from: as long as it was then, and what was in it. */
export interface JournalSeal {
  readonly bytes: number;
  readonly sha256: string;
}

/** What does not fit, and which of the two was changed if that can be told. */
export interface ResultProblem {
  readonly changed: "journal" | "result";
  readonly message: string;
}

/** Hash of a result, for the journal's last line; undefined of one that cannot be written down. */
export function hashOfResult(result: unknown): string | undefined {
  try {
    return hash("sha256", encode(result));
  } catch {
    return undefined;
  }
}

/** Takes the sum of a journal that has been written to its end. */
export function sealJournal(path: string): JournalSeal {
  const bytes = statSync(path).size;
  return { bytes, sha256: fileHash(path, bytes) };
}

/**
 * Whether a result is the one its journal ended with, and the journal the one it came from: by their ends alone, or also by
 * every byte. Older results, and those whose journal is gone, cannot be checked.
 */
export function resultProblem(
  directory: string,
  journal: string,
  result: ResultFile,
  depth: "ends" | "whole",
): ResultProblem | undefined {
  const path = join(directory, journal);
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (result.journal === undefined || size === undefined) return undefined;
  const { bytes, sha256 } = result.journal;
  if (size < bytes) {
    const message = `${path} has ${size} bytes and had ${bytes} when the run finished: it was shortened or swapped`;
    return { changed: "journal", message };
  }
  if (depth === "whole" && fileHash(path, bytes) !== sha256) {
    return { changed: "journal", message: `${path} is not the journal that result.json came from: one was changed` };
  }
  const end = lastEntry(path, bytes);
  if (end?.type === "run" && end.event === "finished" && end.digest === result.digest && end.tells === result.tells) {
    if (end.result === undefined || end.result === hashOfResult(result.result)) return undefined;
  }
  const message = `${join(directory, "result.json")} is not what the run ended with: it was changed; a resume writes it again`;
  return { changed: "result", message };
}
