import { closeSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";

/** More than anybody writes about one idea; what is larger is some other file. */
const MAX_IDEA_BYTES = 256 * 1024;

/** An idea's text, or why a file cannot be one. */
export type IdeaFile =
  | { readonly usable: true; readonly bytes: Buffer; readonly text: string }
  | { readonly usable: false; readonly reason: string };

/** Whether a folder's entry could be meant as an idea. */
export function isIdeaName(name: string): boolean {
  return /\.md$/i.test(name) && !name.startsWith(".");
}

/** Reads an idea file; never more than the largest idea, and never what is no regular file. */
export function readIdeaFile(folder: string, name: string): IdeaFile {
  const refused = (reason: string): IdeaFile => ({ usable: false, reason });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\u0000-\u001f\u007f\u2028\u2029\ufffd]/.test(name))
    return refused("its name holds a control character or is not UTF-8");
  const path = join(folder, name);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return refused("it is a link to nothing");
  if (!stat.isFile()) return refused("it is not a regular file");
  if (stat.size > MAX_IDEA_BYTES) return refused(`it has ${stat.size} bytes; an idea has at most ${MAX_IDEA_BYTES}`);
  const bytes = firstBytes(path, MAX_IDEA_BYTES + 1);
  if (bytes.includes(0)) return refused("it is binary: it holds a zero byte");
  const text = decoded(bytes);
  if (text === undefined) return refused("it is binary: it is not UTF-8 text");
  return text.trim() === "" ? refused("it is empty") : { usable: true, bytes, text };
}

function decoded(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A file may grow while it is read. */
function firstBytes(path: string, most: number): Buffer {
  const buffer = Buffer.alloc(most);
  const fd = openSync(path, "r");
  try {
    let filled = 0;
    for (;;) {
      const read = readSync(fd, buffer, filled, most - filled, null);
      filled += read;
      if (read === 0 || filled === most) return buffer.subarray(0, filled);
    }
  } finally {
    closeSync(fd);
  }
}
