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

/** Lines of a text; a last newline does not begin another one. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
