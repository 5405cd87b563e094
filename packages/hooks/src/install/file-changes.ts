import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { writeDurably } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import { backupOf } from "../settings/scopes.ts";

/** One file as it is and as it is going to be; undefined: not there. */
export interface FileChange {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** What has to be done, or made sure of, before it is written. */
  readonly prepare?: () => void;
}

/** What installing or uninstalling is going to do. */
export interface SettingsChanges {
  readonly changes: readonly FileChange[];
  /** What people should know before they say yes. */
  readonly remarks: readonly string[];
}

/** The changes for people to read before they happen. */
export function describeChanges({ changes, remarks }: SettingsChanges): string {
  const lines = changes.flatMap(({ file, before, after }) => {
    const what = before === undefined ? "new file" : after === undefined ? "removed" : "changed";
    const backup = file.endsWith(backupOf(""));
    const body = backup ? ["  (the settings as they are without Coppice)"] : lineDiff(before ?? "", after ?? "");
    return [`${file}: ${what}`, ...body, ""];
  });
  return [...remarks, ...lines].map((line) => `${line}\n`).join("");
}

/** Makes the changes, each file in one step and the backup before what it backs up. */
export function applyChanges({ changes }: SettingsChanges): void {
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
    throw new UsageError(`${file}: ${(error as Error).message}`);
  }
  const text = bytes.toString("utf8");
  if (!Buffer.from(text).equals(bytes)) throw new UsageError(`${file}: not UTF-8; save it as UTF-8 first`);
  return text;
}

/** The lines that differ between two texts, with `-` and `+`, and up to `around` equal lines beside them. */
export function lineDiff(before: string, after: string, around = 2): readonly string[] {
  const [a, b] = [before, after].map((text) => (text === "" ? [] : text.replace(/\n$/, "").split("\n")));
  // common[i][j]: length of the longest common sequence of a[i..] and b[j..].
  const common = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const lines: string[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push(`  ${a[i++]}`);
      j++;
    } else if (j >= b.length || (i < a.length && common[i + 1][j] >= common[i][j + 1])) lines.push(`- ${a[i++]}`);
    else lines.push(`+ ${b[j++]}`);
  }
  const near = (index: number): boolean =>
    lines.slice(Math.max(0, index - around), index + around + 1).some((line) => !line.startsWith("  "));
  return lines.flatMap((line, index) => (near(index) ? [line] : index > 0 && near(index - 1) ? ["  …"] : []));
}
