import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { unreadable } from "../files/unreadable.ts";
import { writeDurably } from "../files/write-whole.ts";
import { UsageError } from "../usage-error.ts";
import { lineDiff } from "./line-diff.ts";

/** One file as it is and as it is going to be; undefined: not there. */
export interface FileChange {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** What it is, instead of the lines that change: of copies. */
  readonly says?: string;
  /** What has to be done, or made sure of, before it is written. */
  readonly prepare?: () => void;
}

/** The changes for people to read before they happen. */
export function describeChanges(changes: readonly FileChange[]): string {
  const lines = changes.flatMap(({ file, before, after, says }) => {
    const what = before === undefined ? "new file" : after === undefined ? "removed" : "changed";
    const body = says === undefined ? lineDiff(before ?? "", after ?? "") : [`  (${says})`];
    return [`${file}: ${what}`, ...body, ""];
  });
  return lines.map((line) => `${line}\n`).join("");
}

/** Makes the changes, each file in one step and the backup before what it backs up. */
export function applyChanges(changes: readonly FileChange[]): void {
  for (const { file, before, after, prepare } of changes) {
    if (readIfThere(file) !== before) throw new UsageError(`${file} was changed meanwhile; nothing more was done`);
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? (after?.startsWith("#!") ? 0o755 : undefined);
    try {
      if (after === undefined) rmSync(file);
      else {
        prepare?.();
        mkdirSync(dirname(file), { recursive: true });
        // What a symbolic link leads to is changed; the link stays.
        writeDurably(
          existsSync(file) ? realpathSync(file) : file,
          after,
          mode === undefined ? undefined : mode & 0o777,
        );
      }
    } catch (error) {
      throw new UsageError(`${file}: ${(error as Error).message}`);
    }
  }
}

/** A file's text; what could not be written back as it is, is refused. */
export function readIfThere(file: string): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const link = lstatSync(file, { throwIfNoEntry: false });
    if (link?.isSymbolicLink())
      throw new UsageError(`${file}: a symbolic link to ${readlinkSync(file)}, which cannot be read`);
    if (["ENOENT", "ENOTDIR"].includes(String((error as NodeJS.ErrnoException).code))) return undefined;
    throw new UsageError(`${file} cannot be read: ${unreadable(error)}`);
  }
  const text = bytes.toString("utf8");
  if (!Buffer.from(text).equals(bytes)) throw new UsageError(`${file}: not UTF-8; save it as UTF-8 first`);
  return text;
}
