import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type EvaluationCache, openCache } from "../cache/evaluation-cache.ts";
import { CacheError } from "../cache/schema.ts";
import { printableLine } from "../display/printable.ts";
import { UsageError } from "../usage-error.ts";

const USUAL_FILE = join(".coppice", "cache.sqlite");

/** A cache for the length of a session. */
export interface SessionCache {
  readonly cache: EvaluationCache;
  /** Closes it; what it could not write is a pity, not a failure: the run has its results. */
  readonly close: () => void;
  /** Takes a file back that was made for a run that did not come to be. */
  readonly giveBack: () => void;
}

/** Opens the cache that `--cache` or `COPPICE_CACHE` asks for: a file, or yes or no for the usual one. */
export function openSessionCache(asked: string | true | undefined): SessionCache | undefined {
  if (asked === undefined || asked === "0" || asked === "false") return undefined;
  const path = asked === true || asked === "1" || asked === "true" ? USUAL_FILE : asked;
  const isNew = !existsSync(path);
  const cache = open(path);
  return {
    cache,
    close: () => {
      try {
        cache.close();
      } catch (error) {
        process.stderr.write(`coppice: ${printableLine(error instanceof Error ? error.message : String(error))}\n`);
      }
    },
    giveBack: () => {
      if (isNew) for (const part of ["", "-wal", "-shm"]) rmSync(`${path}${part}`, { force: true });
    },
  };
}

function open(path: string): EvaluationCache {
  try {
    return openCache(path);
  } catch (error) {
    if (error instanceof CacheError) throw new UsageError(`--cache: ${error.message}`);
    throw error;
  }
}
