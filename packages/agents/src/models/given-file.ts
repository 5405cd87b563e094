import { readFileSync, statSync } from "node:fs";
import { UsageError } from "@coppice/engine/usage-error";

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "it may not be read",
  EISDIR: "it is a directory",
};

/** Why a file could not be read, for people. */
export function unreadable(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  return reasons[code] ?? `it cannot be read (${code})`;
}

/** The text of a file that a user named at `place`; a device is refused, since reading it may never end. */
export function givenText(path: string, place: string): string {
  try {
    const stat = statSync(path);
    if (!stat.isCharacterDevice() && !stat.isBlockDevice()) return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`${place}: ${unreadable(error)}`);
  }
  throw new UsageError(`${place}: it is a device, not a file`);
}
