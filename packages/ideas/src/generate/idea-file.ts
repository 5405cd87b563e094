import { closeSync, existsSync, openSync, readdirSync, readSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Idea, IdeasResult, IdeasTask } from "../contract.ts";
import { keepBytes } from "../evaluate/kept-file.ts";
import type { OpenRun } from "../evaluate/open-run.ts";
import { layout } from "../run-layout.ts";
import { compareTexts, ideaHash } from "../search/idea-choice.ts";

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

/** Reads an idea file; never more than the largest idea, and only a regular file. */
export function readIdeaFile(
  folder: string,
  name: string,
  options: { readonly ownFilesOnly?: boolean } = {},
): IdeaFile {
  const refused = (reason: string): IdeaFile => ({ usable: false, reason });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\u0000-\u001f\u007f\u2028\u2029\ufffd]/.test(name))
    return refused("its name holds a control character or is not UTF-8");
  const path = join(folder, name);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return refused("it is a link to nothing");
  if (!stat.isFile()) return refused("it is not a regular file");
  if (options.ownFilesOnly === true && dirname(realpathSync(path)) !== realpathSync(folder)) {
    return refused("it is a symbolic link out of {ideas}");
  }
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

const SLUG_CHARS = 60;

/** `007_cache_the_results.md`: the file of the idea that is the n-th of its node, counted from 1. */
export function ideaFileName(number: number, title: string): string {
  const slug = title
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .slice(0, SLUG_CHARS)
    .replace(/^_+|_+$/g, "");
  return `${String(number).padStart(3, "0")}_${slug === "" ? "idea" : slug}.md`;
}

/** A name that none of `taken` has, whatever its case: `x.md`, else `x_2.md`, `x_3.md`, … */
export function freeName(name: string, taken: readonly string[]): string {
  const known = new Set(taken.map((each) => each.toLowerCase()));
  const stem = name.replace(/\.md$/i, "");
  let free = name;
  for (let copy = 2; known.has(free.toLowerCase()); copy++) free = `${stem}_${copy}.md`;
  return free;
}

export interface TakenIdeas extends Pick<IdeasResult, "ideas" | "refused"> {
  /** By the name the file had where it was taken from. */
  readonly bySource: ReadonlyMap<string, Idea>;
}

/**
 * Copies the usable files to `node_ideas/<node>/`, in the order of their lower-case names; equal ones by the names
 * themselves. A name that an idea of an earlier call has is changed: nothing is written over.
 */
export function takeIdeas(
  run: OpenRun,
  { node, taken }: IdeasTask,
  folder: string | undefined,
  options: { readonly ownFilesOnly?: boolean } = {},
): TakenIdeas {
  const names = folder === undefined || !existsSync(folder) ? [] : readdirSync(folder).filter(isIdeaName);
  const inOrder = names.sort((a, b) => compareTexts(a.toLowerCase(), b.toLowerCase()) || compareTexts(a, b));
  const bySource = new Map<string, Idea>();
  const refused: { name: string; reason: string }[] = [];
  for (const source of inOrder) {
    const file = readIdeaFile(folder ?? "", source, options);
    if (file.usable) {
      const name = taken.includes(source) ? freeName(source, [...taken, ...names]) : source;
      const kept = keepBytes(run.runRoot, `${layout.nodeIdeas(node.nodeId)}/${name}`, file.bytes);
      bySource.set(source, { name, ...kept, textHash: ideaHash(file.text) });
    } else refused.push({ name: source, reason: file.reason });
  }
  return { ideas: [...bySource.values()], refused, bySource };
}
