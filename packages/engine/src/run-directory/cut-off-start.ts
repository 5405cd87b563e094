import { readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { isFolder } from "../files/if-there.ts";
import { JOURNAL_NAME } from "./run-file.ts";

/** What a start that was cut off may leave before there is a `run.json`; of the journal no more than its name. */
const LEFT_BY_A_START = /^(?:logs|lock(?:\..*)?|run\.json\..+\.draft)$/;

/** Why a run can neither start nor be resumed in a directory without a `run.json`; undefined when the first one can. */
export function inTheWay(directory: string): string | undefined {
  const names = isFolder(directory) ? readdirSync(directory) : [];
  const foreign = names.find((name) => !LEFT_BY_A_START.test(name) && !isEmptyJournal(directory, name));
  if (foreign === undefined) return undefined;
  if (names.includes(JOURNAL_NAME) && !isEmptyJournal(directory, JOURNAL_NAME)) {
    return `${directory} holds the ${JOURNAL_NAME} of a run without its run.json: put that back to resume run ${basename(resolve(directory))}, or choose another id`;
  }
  return `${directory} holds ${foreign}, which is not part of a run: give the run its own directory`;
}

function isEmptyJournal(directory: string, name: string): boolean {
  if (name !== JOURNAL_NAME) return false;
  const stats = statSync(join(directory, name), { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size === 0;
}
