import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { makeDirectory } from "../files/make-directory.ts";
import { strangerOwning } from "../files/stranger.ts";
import { syncPath } from "../files/sync-path.ts";
import { UsageError } from "../usage-error.ts";
import { inTheWay } from "./cut-off-start.ts";
import { JOURNAL_NAME } from "./run-file.ts";

/** Where runs live unless the user says otherwise. */
export const DEFAULT_RUNS = join(".coppice", "runs");

const MAX_ID_LENGTH = 100;
/** Runs that are named to somebody who asked for one that is not there. */
const MOST_NAMED = 10;

/** Refuses ids that could leave the runs directory or confuse a shell. */
function checkRunId(id: string): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(id) || id.length > MAX_ID_LENGTH || id.includes("..")) {
    throw new UsageError(
      `run id ${JSON.stringify(id)} is not usable: letters, digits, ".", "_" and "-", at most ${MAX_ID_LENGTH}`,
    );
  }
}

/** Makes the directory of a new run: the given id, or the next free number. */
export function createRunDirectory(runs: string, id?: string): { readonly id: string; readonly directory: string } {
  refuseStrangers(runs);
  if (id !== undefined) {
    checkRunId(id);
    const directory = join(runs, id);
    // One without a record is what a start left that was cut off: the run begins there after all.
    if (existsSync(join(directory, "run.json")) || isFile(directory)) {
      throw new UsageError(`run ${id} exists in ${runs}: resume it, or choose another id`);
    }
    makeDirectory(runs);
    make(directory);
    return { id, directory };
  }
  makeDirectory(runs);
  for (let number = lastNumber(runs) + 1; ; number++) {
    const directory = join(runs, String(number));
    if (make(directory)) return { id: String(number), directory };
  }
}

/** Ids of the runs in a directory, in order; numbers compare as numbers. */
export function runIds(runs: string): string[] {
  const place = statSync(runs, { throwIfNoEntry: false });
  if (place === undefined) return [];
  if (!place.isDirectory()) throw new UsageError(`${runs} is a file, not a directory of runs`);
  return readdirSync(runs, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(runs, entry.name, "run.json")))
    .map((entry) => entry.name)
    .sort(byId);
}

/** The directory of the run that was named: an id among the runs, or the path of a run's own directory. */
export function findRun(named: string, runs: string): string {
  refuseStrangers(runs);
  const looksLikeId = !/[/\\]/.test(named) && named !== "." && named !== "..";
  if (looksLikeId && existsSync(join(runs, named, "run.json"))) return join(runs, named);
  if (existsSync(join(named, "run.json"))) return named;
  const ids = runIds(runs);
  const last = ids.slice(-MOST_NAMED).join(", ");
  const known =
    ids.length === 0 ? "there are none yet" : ids.length > MOST_NAMED ? `the last are ${last}` : `known: ${last}`;
  if (named === "") throw new UsageError(`name a run of ${runs}, or a run's directory (${known})`);
  const begun = [looksLikeId ? join(runs, named) : named, named].find((path) => existsSync(path));
  if (begun !== undefined) throw new UsageError(neverBegun(begun, runs));
  throw new UsageError(`there is no run ${named} in ${runs} (${known})`);
}

/** A run's record names the module to load: the usual place must not have been made by a stranger. */
function refuseStrangers(runs: string): void {
  if (runs !== DEFAULT_RUNS) return;
  for (const path of [dirname(runs), runs]) {
    const owner = strangerOwning(path, ".");
    if (owner === undefined) continue;
    throw new UsageError(
      `${path} belongs to user ${owner}, who could have put anything there: if you trust them, name it with --run-dir ${resolve(runs)}`,
    );
  }
}

function neverBegun(directory: string, runs: string): string {
  const id = basename(resolve(directory));
  if (isFile(directory)) return `${directory} is a file, not the directory of a run`;
  const foreign = inTheWay(directory);
  // An empty folder among the runs is what is left of a start; elsewhere it is any folder.
  const isElsewhere = resolve(dirname(directory)) !== resolve(runs) && readdirSync(directory).length === 0;
  if (isElsewhere || (foreign !== undefined && !existsSync(join(directory, JOURNAL_NAME)))) {
    return `${directory} is not a run: it has no run.json; name a run, or the directory of one`;
  }
  return (
    foreign ??
    `${directory} has no run.json: its run never began; start it again with the command that started it, --id ${id} included`
  );
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
}

/** Made when ids are first compared: making it takes longer than most commands have to do. */
let collator: Intl.Collator | undefined;

function byId(a: string, b: string): number {
  collator ??= new Intl.Collator("en", { numeric: true });
  return collator.compare(a, b);
}

function lastNumber(runs: string): number {
  let last = 0;
  for (const name of readdirSync(runs)) if (/^\d{1,15}$/.test(name)) last = Math.max(last, Number(name));
  return last;
}

function make(directory: string): boolean {
  try {
    mkdirSync(directory);
    syncPath(dirname(directory));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw new UsageError(`cannot create ${directory}: ${error instanceof Error ? error.message : error}`);
  }
}
