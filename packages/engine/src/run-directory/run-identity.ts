import { hash } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { basename, join } from "node:path";
import type { RunIdentity } from "../journal/entry.ts";
import { readEntryAt } from "../journal/reader.ts";
import { UsageError } from "../usage-error.ts";
import type { RunFile } from "./run-file.ts";

/** What of a run's record its journal is tied to, besides id and seed. */
const SHAPING = [
  "createdAt",
  "tool",
  "options",
  "lookahead",
  "retries",
  "timeoutMs",
  "onFailure",
  "maxValueBytes",
  "evaluator",
  "context",
  "inputs",
] as const;

/** What a journal's first line says of its run, so that neither can be taken for another's or changed unnoticed. */
export function identityOf(file: RunFile): RunIdentity {
  const shape = Object.fromEntries(SHAPING.map((field) => [field, hash("sha256", text(file[field])).slice(0, 16)]));
  return { id: file.id, seed: file.seed, shape };
}

/** As it is after it was written to `run.json` and read again. */
function text(value: unknown): string {
  return JSON.stringify(value) ?? "";
}

/** Refuses a record that is not the one its journal was begun with; older journals do not say. */
export function checkIdentity(directory: string, journal: string, file: RunFile): void {
  const begun = firstIdentity(join(directory, journal));
  if (begun === undefined) return;
  const is = identityOf(file);
  if (begun.id !== is.id || begun.shape.createdAt !== is.shape.createdAt) {
    const whose = begun.id === is.id ? `another run ${begun.id}` : `run ${begun.id}`;
    throw new UsageError(`${directory}: ${journal} is that of ${whose}, not of run ${is.id}: put the right one back`);
  }
  const run = `run ${basename(directory)}`;
  if (begun.seed !== is.seed) {
    throw new UsageError(
      `${directory}: run.json has seed ${is.seed}, ${run} was begun with ${begun.seed}: put that back`,
    );
  }
  // Older journals do not know every field.
  const changed = SHAPING.filter((field) => field in begun.shape && begun.shape[field] !== is.shape[field]);
  if (changed.length === 0) return;
  throw new UsageError(
    `${directory}: run.json has changed since ${run} was begun (${changed.join(", ")}): put it back as it was, or start a new run`,
  );
}

function firstIdentity(journal: string): RunIdentity | undefined {
  let fd: number;
  try {
    fd = openSync(journal, "r");
  } catch {
    return undefined; // the run never began, or its journal is gone: others say so
  }
  try {
    const first = readEntryAt(fd, 0);
    return first.type === "run" && first.event === "opened" ? first.run : undefined;
  } catch {
    return undefined; // whoever reads the whole journal names the line
  } finally {
    closeSync(fd);
  }
}
