import { createRequire } from "node:module";

/** Narrower columns are hard to read. */
export const LEAST_COLUMN = 36;
const GAP = " │ ";
const TAB = "    ";

let measure: ((text: string) => number) | undefined;

/** The cells of a text. What measures them takes long to load, and most questions have one answer: it waits for columns. */
function stringWidth(text: string): number {
  measure ??= (createRequire(import.meta.url)("string-width") as typeof import("string-width")).default;
  return measure(text);
}

/** Texts side by side, each below its head, broken into lines that fit: as many cells as a terminal gives each character. */
export function inColumns(columns: readonly { readonly head: string; readonly text: string }[], width: number): string {
  const own = Math.floor((width - GAP.length * (columns.length - 1)) / columns.length);
  const lines = columns.map(({ head, text }) => [cut(head, own), "─".repeat(own), ...brokenInto(text, own)]);
  const height = Math.max(...lines.map((column) => column.length));
  return Array.from({ length: height }, (_, row) =>
    lines
      .map((column) => padded(column[row] ?? "", own))
      .join(GAP)
      .trimEnd(),
  ).join("\n");
}

function brokenInto(text: string, width: number): string[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const lines = [""];
    const words = line.replaceAll("\t", TAB).split(/(?<=\s)/);
    for (const word of words.flatMap((piece) => pieces(piece, width))) {
      const last = lines[lines.length - 1];
      if (last !== "" && stringWidth(last) + stringWidth(word.trimEnd()) > width) lines.push(word);
      else lines[lines.length - 1] += word;
    }
    return lines.map((each) => each.trimEnd());
  });
}

/** A word that is longer than a line, in parts; scripts without blanks are one long word. */
function pieces(word: string, width: number): string[] {
  if (stringWidth(word.trimEnd()) <= width) return [word];
  const parts = [""];
  for (const character of characters(word)) {
    const last = parts[parts.length - 1];
    if (last !== "" && stringWidth(last) + stringWidth(character) > width) parts.push(character);
    else parts[parts.length - 1] += character;
  }
  return parts;
}

function cut(text: string, width: number): string {
  return stringWidth(text) <= width ? text : `${pieces(text, width - 1)[0]}…`;
}

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - stringWidth(text)));
}

/** What a reader takes for one character: a letter with its accents, a flag, a family. */
function characters(text: string): string[] {
  return [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)].map(({ segment }) => segment);
}
