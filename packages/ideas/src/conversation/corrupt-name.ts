import { existsSync } from "node:fs";

/** Where a file that cannot be read is put: `<path>.corrupt_<n>`, the first that is free. No clock names it. */
export function freeCorruptName(path: string): string {
  let copy = 1;
  while (existsSync(`${path}.corrupt_${copy}`)) copy++;
  return `${path}.corrupt_${copy}`;
}

/** Whether a file was put aside by such a name. */
export function isCorruptName(name: string): boolean {
  return /\.corrupt_\d+$/.test(name);
}
