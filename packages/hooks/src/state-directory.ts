import { closeSync, constants, lstatSync, mkdirSync, openSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where timing, locks, logs and observations of a project are kept. */
export function stateDirectory(projectDir: string): string {
  return join(projectDir, ".coppice", "hooks");
}

/** In the state directory: what was seen of hooks when they were traced. */
export const OBSERVED_FILE = "observed.json";

/** Makes the state directory, which ignores itself in git: hooks that commit everything must not commit it. */
export function makeStateDirectory(directory: string): void {
  refuseLinks(dirname(directory), directory);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const ignore = join(directory, ".gitignore");
  if (statSync(ignore, { throwIfNoEntry: false }) === undefined) writeFileSync(ignore, "*\n", { flag: "wx" });
}

/** Appends to a file of the state directory that others cannot read. */
export function appendToState(directory: string, name: string, text: string): void {
  refuseLinks(dirname(directory), directory);
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants;
  const file = openSync(join(directory, name), O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** A repository may bring symbolic links along, and nothing is written where they lead. */
export function refuseLinks(...paths: readonly string[]): void {
  const link = paths.find((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true);
  if (link !== undefined) throw new Error(`${link} is a symbolic link: nothing is written there`);
}
