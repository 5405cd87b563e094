import { statfsSync } from "node:fs";
import { GitError, isLockError } from "../git/run-git.ts";
import { REJECTED, StepFailed } from "../steps/reported-cost.ts";

/** Type of failures that are the machine's fault, not the idea's: they stop the run, which can be resumed. */
export const MACHINE_TROUBLE = "MachineTrouble";

class MachineTrouble extends Error {
  override readonly name = MACHINE_TROUBLE;
}

const CODES = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EIO", "EMFILE", "ENFILE", "ENOMEM", "EAGAIN"]);
const GIT_SAYS =
  /No space left on device|Disk quota exceeded|File too large|Read-only file system|Too many open files|Cannot allocate memory/;
/** With less room than this left, a step that failed is not to blame for it. */
const ROOM_BYTES = 64 * 1024;

/** What went wrong, told apart by whose fault it is. */
export function blame(error: unknown, runRoot: string): unknown {
  if (!(error instanceof Error)) return error;
  const code = "code" in error ? String(error.code) : "";
  // A repository that stays locked is in somebody else's hands, or a crashed git has left its lock behind.
  if (CODES.has(code) || isLockError(error) || (error instanceof GitError && GIT_SAYS.test(error.stderr))) {
    return new MachineTrouble(error.message, { cause: error });
  }
  if (error instanceof StepFailed && error.name !== REJECTED && isFull(runRoot)) {
    return new MachineTrouble(`${error.message}, and the disk of ${runRoot} is full`, { cause: error });
  }
  return error;
}

function isFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < ROOM_BYTES;
  } catch {
    return false;
  }
}
