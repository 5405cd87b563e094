import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { linesOf } from "./line-window.ts";

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

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "it may not be read",
  EISDIR: "it is a directory",
};

/** Reads a file of text; what is wrong with it is said, never thrown. */
export async function readSource(path: string, { maxBytes }: ReadLimits): Promise<SourceFile> {
  let bytes: Buffer;
  try {
    await using file = await open(path, "r");
    const stat = await file.stat();
    if (stat.isDirectory()) return { path, state: "unreadable", problem: "it is a directory" };
    if (!stat.isFile()) return { path, state: "unreadable", problem: "it is not a regular file" };
    if (stat.size > maxBytes) {
      return { path, state: "huge", problem: `${stat.size} bytes; at most ${maxBytes} are read` };
    }
    bytes = await file.readFile();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    return { path, state: "unreadable", problem: reasons[code] ?? `it cannot be read (${code})` };
  }
  if (bytes.subarray(0, LOOKED_AT).includes(0)) return { path, state: "binary", problem: "it is not text" };
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  const lines = linesOf(text);
  if (text.trim() === "") return { path, state: "empty", problem: "there is nothing in it" };
  return { path, state: "read", lines, hash: createHash("sha256").update(bytes).digest("hex") };
}
