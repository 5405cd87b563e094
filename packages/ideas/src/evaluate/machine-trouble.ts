import { statfsSync } from "node:fs";
import { GitError, isLockError } from "../git/run-git.ts";
import { REJECTED, StepFailed } from "../steps/reported-cost.ts";

/** Type of failures that are the machine's fault, not the idea's: they stop the run, which can be resumed. */
export const MACHINE_TROUBLE = "MachineTrouble";

export class MachineTrouble extends Error {
  override readonly name = MACHINE_TROUBLE;
  /** What had been spent when it struck. */
  readonly data: unknown;

  constructor(message: string, cause?: Error) {
    super(message, { cause });
    this.data = cause !== undefined && "data" in cause ? cause.data : undefined;
  }
}

const CODES = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EIO", "EMFILE", "ENFILE", "ENOMEM", "EAGAIN"]);
/** What git says when a step has spoilt its own worktree; everything else that git says is about the machine or the repository. */
const SPOILT_BY_A_STEP = new RegExp(
  [
    /not a git repository|invalid gitfile format|the folder .*\/cand\/\d+ is gone/,
    /unable to index file|adding files failed|beyond a symbolic link|does not have a commit checked out/,
    /index file (corrupt|smaller)|bad index|bad signature|unknown index entry/,
    /Filename too long|open\(".*"\): Permission denied|could not open directory/,
    // Its own files, as its .gitattributes, the user's filters and its .gitmodules have them.
    /failed to encode '|BOM is (required|prohibited)|(clean|process) filter '.*' failed|would be replaced by (CR)?LF/,
    /bad config (line|file)[^\n]*\.gitmodules|invalid value for 'submodule\./,
  ]
    .map(({ source }) => source)
    .join("|"),
);
const NO_ROOM = /No space left on device|ENOSPC|Disk quota exceeded|EDQUOT|Out of diskspace/;
/** What only a machine says that has no room, memory or process to spare, whatever else it says. */
const MACHINE = new RegExp(`${NO_ROOM.source}|Cannot allocate memory|[Oo]ut of memory`);
/** A step could not be started, or its shell could start nothing. */
const NO_PROCESS =
  /spawn \S+ (EAGAIN|ENOMEM|EMFILE|ENFILE)$|: Cannot fork$|: (v?fork|posix_spawnp?): (Resource temporarily unavailable|Cannot allocate memory)$/;
/** With less room than this left, a step that failed is not to blame for it. */
const ROOM_BYTES = 64 * 1024;
/** A step may have removed what it wrote when the disk was full: with less room than this it is believed. */
const LITTLE_ROOM_BYTES = 1024 * 1024 * 1024;

/** What went wrong, told apart by whose fault it is. */
export function blame(error: unknown, runRoot: string): unknown {
  if (!(error instanceof Error)) return error;
  const code = "code" in error ? String(error.code) : "";
  const spoilt = error instanceof GitError && SPOILT_BY_A_STEP.test(error.stderr) && !MACHINE.test(error.stderr);
  // A repository that stays locked is in somebody else's hands, or a crashed git has left its lock behind.
  if (CODES.has(code) || isLockError(error) || (error instanceof GitError && !spoilt)) {
    // Git does not always say why it could not write.
    const isFull = !NO_ROOM.test(error.message) && roomBytes(runRoot) < ROOM_BYTES;
    return new MachineTrouble(isFull ? `${error.message}: ${noSpace(runRoot)}` : error.message, error);
  }
  if (error instanceof StepFailed && error.name !== REJECTED) {
    const room = roomBytes(runRoot);
    const saysSo = error.data.logTail.some((line) => NO_ROOM.test(line));
    if (room < ROOM_BYTES || (saysSo && room < LITTLE_ROOM_BYTES)) {
      return new MachineTrouble(`${error.message}: ${noSpace(runRoot)}`, error);
    }
    if ([error.message, ...error.data.logTail].some((line) => NO_PROCESS.test(line))) {
      return new MachineTrouble(`${error.message}: no process could be started; run fewer at once`, error);
    }
    if (error.data.outOfMemory === true) {
      const advice = "the kernel ended it because the memory was used up: run fewer at once, or give the step a limit";
      return new MachineTrouble(`${error.message}: ${advice}`, error);
    }
  }
  return error;
}

function noSpace(folder: string): string {
  return `no space is left on the disk of ${folder}`;
}

function roomBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
