import { createHash, hash } from "node:crypto";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseBody, type RunMarker } from "../journal/entry.ts";
import { unseal } from "../journal/line.ts";
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
  return { bytes, sha256: sumOf(path, bytes) };
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
  if (depth === "whole" && sumOf(path, bytes) !== sha256) {
    return { changed: "journal", message: `${path} is not the journal that result.json came from: one was changed` };
  }
  const end = lastMarker(path, bytes);
  if (end?.event === "finished" && end.digest === result.digest && end.tells === result.tells) {
    if (end.result === undefined || end.result === hashOfResult(result.result)) return undefined;
  }
  const message = `${join(directory, "result.json")} is not what the run ended with: it was changed; a resume writes it again`;
  return { changed: "result", message };
}

const BLOCK_BYTES = 1 << 20;
/** The last line says how a run ended and is short. */
const LAST_LINE_BYTES = 1 << 16;

function sumOf(path: string, bytes: number): string {
  const sum = createHash("sha256");
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  const fd = openSync(path, "r");
  try {
    for (let at = 0; at < bytes; ) {
      const read = readSync(fd, block, 0, Math.min(BLOCK_BYTES, bytes - at), at);
      if (read === 0) break;
      sum.update(block.subarray(0, read));
      at += read;
    }
  } finally {
    closeSync(fd);
  }
  return sum.digest("hex");
}

/** The marker in the last line of the first so many bytes. */
function lastMarker(path: string, bytes: number): RunMarker | undefined {
  const start = Math.max(0, bytes - LAST_LINE_BYTES);
  const tail = Buffer.alloc(bytes - start);
  const fd = openSync(path, "r");
  try {
    readSync(fd, tail, 0, tail.length, start);
  } finally {
    closeSync(fd);
  }
  const line = tail.subarray(tail.lastIndexOf("\n", -2) + 1, -1);
  const opened = unseal(line);
  if (!opened.ok) return undefined;
  const entry = parseBody(opened.body);
  return entry.type === "run" ? entry : undefined;
}
