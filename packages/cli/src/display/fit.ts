import { printableLine } from "@coppice/engine/printable";
import stringWidth from "string-width";

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A text on one line of at most `columns` terminal cells; what is cut off ends in `…`. What a terminal obeys is left out. */
export function fit(text: string, columns: number): string {
  const line = printableLine(text);
  // A cell takes at least one character, wide ones included: short texts need no measuring.
  if (columns <= 0) return "";
  if (isPlain(line) ? line.length <= columns : stringWidth(line) <= columns) return line;
  let cut = "";
  let width = 0;
  for (const { segment } of graphemes.segment(line)) {
    const next = width + stringWidth(segment);
    if (next > columns - 1) break;
    cut += segment;
    width = next;
  }
  return `${cut}…`;
}

/** Fitted and filled up with blanks to exactly `columns`. */
export function pad(text: string, columns: number, side: "left" | "right" = "left"): string {
  const fitted = fit(text, columns);
  const blanks = " ".repeat(Math.max(0, columns - (isPlain(fitted) ? fitted.length : stringWidth(fitted))));
  return side === "left" ? fitted + blanks : blanks + fitted;
}

function isPlain(text: string): boolean {
  return /^[\x20-\x7e…·]*$/.test(text);
}
