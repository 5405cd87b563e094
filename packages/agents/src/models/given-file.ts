import { readFileSync, statSync } from "node:fs";
import { unreadable } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";

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
