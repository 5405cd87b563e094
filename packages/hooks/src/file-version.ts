import { statSync } from "node:fs";

/** Changes when a file is written or replaced; cheaper than its content. */
export function fileVersion(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? "missing" : `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
}

/** Programs are named among a hook's files, too; reading them whole on every event would take longer than the hooks. */
export const LARGEST_READ_BYTES = 1024 * 1024;
