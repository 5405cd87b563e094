import { statSync } from "node:fs";

/** Whether a directory is closed to everybody but its owner. */
function isPrivate(directory: string): boolean {
  const mode = statSync(directory, { throwIfNoEntry: false })?.mode;
  return mode !== undefined && (mode & 0o077) === 0;
}

/** The mode of a new file, before the umask: what is made in a private directory stays private when it is moved out of it. */
export function fileModeIn(directory: string): number {
  return isPrivate(directory) ? 0o600 : 0o666;
}

/** The mode of a new directory, likewise. */
export function directoryModeIn(directory: string): number {
  return isPrivate(directory) ? 0o700 : 0o777;
}
