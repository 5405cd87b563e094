import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { removeIfEmpty } from "../files/if-there.ts";
import { createRunDirectory } from "../run-directory/runs.ts";

/** The directory of a run that is about to start. */
export interface ReservedDirectory {
  readonly id: string;
  readonly directory: string;
  /** Takes back what was made for a run that did not come to be: its empty directory and those above that were new. */
  readonly giveBack: () => void;
}

/** Makes a directory for a new run, so that of two starts at once each has its own. */
export function reserveDirectory(runs: string, id: string | undefined): ReservedDirectory {
  const created = missingAbove(resolve(runs));
  const { id: given, directory } = createRunDirectory(runs, id);
  return {
    id: given,
    directory,
    giveBack: () => {
      if (existsSync(join(directory, "run.json"))) return;
      for (const path of [directory, ...created]) removeIfEmpty(path);
    },
  };
}

/** Directories that do not exist yet, innermost first. */
function missingAbove(path: string): string[] {
  return existsSync(path) || dirname(path) === path ? [] : [path, ...missingAbove(dirname(path))];
}
