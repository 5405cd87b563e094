import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { listRunIds, UsageError } from "@coppice/engine";

const MOST_NAMED = 10;

/** Ids of the runs in a directory, in order. */
export function runIds(runs: string): string[] {
  if (statSync(runs, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new UsageError(`${runs} is a file, not a directory of runs`);
  }
  return listRunIds(runs);
}

/** The directory of the run that was named: an id among the runs, or the path of a run's own directory. */
export function findRun(named: string, runs: string): string {
  const looksLikeId = !/[/\\]/.test(named) && named !== "." && named !== "..";
  if (looksLikeId && existsSync(join(runs, named, "run.json"))) return join(runs, named);
  if (existsSync(join(named, "run.json"))) return named;
  const ids = runIds(runs);
  const last = ids.slice(-MOST_NAMED).join(", ");
  const known = ids.length === 0 ? "there are none yet" : ids.length > MOST_NAMED ? `the last are ${last}` : last;
  throw new UsageError(`there is no run ${named} in ${runs}: ${ids.length > 0 ? "known: " : ""}${known}`);
}
