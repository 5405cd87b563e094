import { join } from "node:path";
import { type EvaluationCache, openCache, UsageError } from "@coppice/engine";

const USUAL_FILE = join(".coppice", "cache.sqlite");

/** Opens the cache that `--cache` or `COPPICE_CACHE` asks for: a file, or yes or no for the usual one. */
export function cacheOf(asked: string | true | undefined): EvaluationCache | undefined {
  if (asked === undefined || asked === "0" || asked === "false") return undefined;
  try {
    return openCache(asked === true || asked === "1" || asked === "true" ? USUAL_FILE : asked);
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`--cache: ${error.message}`);
    throw error;
  }
}

/** Closes a cache; what it could not write is a pity, not a failure: the run has its results. */
export function closeCache(cache: EvaluationCache | undefined): void {
  try {
    cache?.close();
  } catch (error) {
    process.stderr.write(`coppice: ${error instanceof Error ? error.message : error}\n`);
  }
}
