import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { DiskNeeds } from "../contract/pool.ts";
import { fileHash } from "../files/file-hash.ts";
import { isFolder } from "../files/if-there.ts";

/** What evaluations need of this machine's disk, for workers on others. */
export function diskNeeds(folders: readonly string[] = [], files: readonly string[] = []): DiskNeeds {
  const all = files.map((file) => resolve(file));
  return {
    folders: folders.map((folder) => resolve(folder)),
    files: Object.fromEntries(all.map((path) => [path, fileHash(path)])),
  };
}

/** What of it this machine does not have, for people; undefined when all is there. */
export function missingOnDisk({ folders, files }: DiskNeeds): string | undefined {
  for (const folder of folders) {
    if (!isFolder(folder)) return `there is no folder ${folder} here`;
  }
  for (const [path, hash] of Object.entries(files)) {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return `there is no file ${path} here`;
    if (fileHash(path) !== hash) return `the file ${path} is a different one here`;
  }
  return undefined;
}
