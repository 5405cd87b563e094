import { lstatSync } from "node:fs";
import { join } from "node:path";
import { entriesIn } from "@coppice/engine/files";
import { type Accesses, noAccesses } from "./accesses.ts";

/** Every file below some directories with what changes when it is written. */
export type Snapshot = ReadonlyMap<string, string>;

/** What comparing snapshots can never show; said wherever they are used. */
export const snapshotBlindness =
  "snapshots show files that were changed, made or removed; they do not show what was read, files written and put back, " +
  'anything outside the project and ~/.claude, or connections. Reads are therefore proposed as "*".';

const SKIPPED = new Set(["node_modules", ".coppice", "__pycache__", "objects"]);

/** Looks at all files below the directories; missing directories are empty. */
export function takeSnapshot(directories: readonly string[]): Snapshot {
  const files = new Map<string, string>();
  const visit = (directory: string): void => {
    for (const entry of entriesIn(directory)) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) visit(path);
        continue;
      }
      const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      if (stat !== undefined) files.set(path, `${stat.mtimeNs} ${stat.ctimeNs} ${stat.size} ${stat.ino} ${stat.mode}`);
    }
  };
  for (const directory of directories) visit(directory);
  return files;
}

/** What was written between two snapshots. */
export function compareSnapshots(before: Snapshot, after: Snapshot): Accesses {
  const accesses = noAccesses();
  for (const [path, state] of after) if (before.get(path) !== state) accesses.writes.add(path);
  for (const path of before.keys()) if (!after.has(path)) accesses.writes.add(path);
  return accesses;
}
