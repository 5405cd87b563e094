import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where timing, locks, logs and observations of a project are kept. */
export function stateDirectory(projectDir: string): string {
  return join(projectDir, ".coppice", "hooks");
}

/** Makes the state directory, which ignores itself in git: hooks that commit everything must not commit it. */
export function makeStateDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const ignore = join(directory, ".gitignore");
  if (statSync(ignore, { throwIfNoEntry: false }) === undefined) writeFileSync(ignore, "*\n");
}
