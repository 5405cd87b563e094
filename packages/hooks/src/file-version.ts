import { statSync } from "node:fs";

/** Changes when a file is written or replaced; cheaper than its content. */
export function fileVersion(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? "missing" : `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
}
