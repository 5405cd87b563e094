export interface CheckedText {
  readonly text: string;
  readonly kept: number;
  /** Citations of files that were not read or lines that do not exist, as they stood in the text. */
  readonly removed: readonly string[];
}

/** Any path without spaces, from its beginning (a text may be one long line of dashes); not the host of an address. */
const anyPath = String.raw`(?<![\w/:.@~+-])\/?(?:[\w@~.+-]+\/)*[\w@~+-][\w@~.+-]*`;
/** `:12`, `:12-30`, with `L` too. */
const someLines = String.raw`:L?(\d+)(?:\s?[-–]\s?L?(\d+))?(?![\w:])`;
const ANY_CITATION = new RegExp(`(${anyPath})${someLines}`, "g");

/** A place in a file, as a text cites it. */
export interface Citation {
  /** As it stands there. */
  readonly text: string;
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** What looks like citations of files in a text. */
export function citationsIn(text: string): readonly Citation[] {
  return Array.from(text.matchAll(ANY_CITATION), ([found, path, first, last]) => {
    return { text: found, path, from: Number(first), to: Number(last ?? first) };
  }).filter(({ path, from, to }) => looksLikeFile(path) && from >= 1 && to >= from);
}

/** `src/a.ts:12`, `src/a.ts:12-30`, `L12` behind the colon too; the file's own path may hold anything. */
function citationOf(path: string): RegExp {
  return new RegExp(`(${escaped(path)}|${anyPath})${someLines}`, "g");
}

/**
 * Keeps the citations of `path` whose lines exist and takes the others out: models invent them. The file may be cited by
 * its path or by the end of it. What only looks like a citation (a time, a port, a host) is left alone.
 */
export function checkCitations(text: string, path: string, lineCount: number): CheckedText {
  const removed: string[] = [];
  let kept = 0;
  const checked = text.replace(
    citationOf(path),
    (found: string, cited: string, first: string, last: string | undefined) => {
      if (!looksLikeFile(cited) && !isFile(cited, path)) return found;
      const from = Number(first);
      const to = Number(last ?? first);
      if (isFile(cited, path) && from >= 1 && to >= from && to <= lineCount) {
        kept++;
        return `${path}:${from}${last === undefined || to === from ? "" : `-${to}`}`;
      }
      removed.push(found);
      return "";
    },
  );
  return { text: removed.length === 0 ? checked : tidy(checked), kept, removed };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function isFile(cited: string, path: string): boolean {
  const name = cited.replace(/^\.\//, "");
  const whole = path.replace(/^\.\//, "");
  return whole === name || whole.endsWith(`/${name}`);
}

/** Has a directory, or an ending that is not a number: `localhost:80` and `12:30` are not files. */
function looksLikeFile(cited: string): boolean {
  return cited.includes("/") || /\.[A-Za-z]\w{0,9}$/.test(cited);
}

/** Empties what surrounded a citation that is gone. Every repetition has a bound or one beginning: a text may be all blanks. */
function tidy(text: string): string {
  return text
    .replace(/\s?[([]\s{0,9}(?:see|in|at|cf\.?)?\s{0,9}(?:(?:[,;]|and)\s{0,9}){0,99}[)\]]/gi, "")
    .replace(/`\s{0,99}`/g, "")
    .replace(/([([])\s{0,9}(?:[,;]\s{0,9}){1,99}/g, "$1")
    .replace(/(?:\s{0,9}[,;]){1,99}\s{0,9}([)\]])/g, "$1")
    .replace(/(?<![ \t])[ \t]+([.,;:)\]])/g, "$1")
    .replace(/[,;]+(?=[.;,])/g, "")
    .replace(/(\S)[ \t]{2,}/g, "$1 ")
    .replace(/(?<![ \t])[ \t]+$/gm, "");
}
