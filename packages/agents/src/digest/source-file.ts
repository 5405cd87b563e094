import { createHash } from "node:crypto";
import { constants, open, realpath } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { unreadable } from "@coppice/engine/files";

/** A file as a digest begins with it: its lines, or why it has none to offer. */
export type SourceFile =
  | { readonly path: string; readonly state: "read"; readonly lines: readonly string[]; readonly hash: string }
  | { readonly path: string; readonly state: "empty" | "binary" | "huge" | "unreadable"; readonly problem: string };

interface ReadLimits {
  /** Longer files are not read. */
  readonly maxBytes: number;
}

/** A file with zero bytes among the first of these is taken for binary, as other tools do. */
const LOOKED_AT = 8000;

/** Reads a file of text; what is wrong with it is said, never thrown. */
export async function readSource(path: string, { maxBytes }: ReadLimits): Promise<SourceFile> {
  let bytes: Buffer;
  try {
    const out = await leadsOut(path);
    if (out !== undefined) return { path, state: "unreadable", problem: out };
    // A named pipe would be waited for until somebody writes to it.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await file.stat();
    if (stat.isDirectory()) return { path, state: "unreadable", problem: "it is a directory" };
    if (!stat.isFile()) return { path, state: "unreadable", problem: "it is not a regular file" };
    if (stat.size > maxBytes) {
      return { path, state: "huge", problem: `${stat.size} bytes; at most ${maxBytes} are read` };
    }
    bytes = await file.readFile();
  } catch (error) {
    return { path, state: "unreadable", problem: unreadable(error) };
  }
  if (bytes.subarray(0, LOOKED_AT).includes(0)) return { path, state: "binary", problem: "it is not text" };
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  const lines = linesOf(text);
  if (text.trim() === "") return { path, state: "empty", problem: "there is nothing in it" };
  return { path, state: "read", lines, hash: createHash("sha256").update(bytes).digest("hex") };
}

/**
 * Why a file must not be sent to a model: it is a link in the project to something outside. A path that leads out by
 * itself is what the user typed, and meant.
 */
async function leadsOut(path: string): Promise<string | undefined> {
  const place = await realpath(process.cwd());
  const within = (file: string) => `${file}${sep}`.startsWith(place.endsWith(sep) ? place : `${place}${sep}`);
  if (!within(resolve(place, path))) return undefined;
  const real = await realpath(resolve(place, path));
  return within(real) ? undefined : `it is a link out of the project, to ${real}`;
}

/** Lines of a text; a last newline does not begin another one. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** A part of a file that one request can hold. Lines are numbered from 1. */
export interface FilePart {
  readonly from: number;
  readonly to: number;
  /** The lines, each behind its number. */
  readonly text: string;
}

/** Characters of a line that are shown; minified code has lines of a megabyte. */
const LINE_SHOWN = 2000;

/** Divides a file into parts of at most `maxCharacters` (a part has at least one line), lines numbered for citations. */
export function fileParts(lines: readonly string[], maxCharacters: number): FilePart[] {
  const parts: FilePart[] = [];
  let from = 1;
  let numbered: string[] = [];
  let size = 0;
  for (const [i, line] of lines.entries()) {
    const shown = line.length > LINE_SHOWN ? `${line.slice(0, LINE_SHOWN)} [… line cut]` : line;
    const text = `${i + 1}: ${shown}`;
    if (numbered.length > 0 && size + text.length + 1 > maxCharacters) {
      parts.push({ from, to: i, text: numbered.join("\n") });
      from = i + 1;
      numbered = [];
      size = 0;
    }
    numbered.push(text);
    size += text.length + 1;
  }
  if (numbered.length > 0) parts.push({ from, to: lines.length, text: numbered.join("\n") });
  return parts;
}
