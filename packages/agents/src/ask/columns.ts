/** Narrower columns are hard to read. */
export const LEAST_COLUMN = 36;
const GAP = " │ ";

/** Texts side by side, each below its head, broken into lines that fit. */
export function inColumns(columns: readonly { readonly head: string; readonly text: string }[], width: number): string {
  const own = Math.floor((width - GAP.length * (columns.length - 1)) / columns.length);
  const lines = columns.map(({ head, text }) => [cut(head, own), "─".repeat(own), ...brokenInto(text, own)]);
  const height = Math.max(...lines.map((column) => column.length));
  return Array.from({ length: height }, (_, row) =>
    lines
      .map((column) => (column[row] ?? "").padEnd(own))
      .join(GAP)
      .trimEnd(),
  ).join("\n");
}

function brokenInto(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => {
    const lines = [""];
    for (const word of line.split(/(?<=\s)/).flatMap((piece) => pieces(piece, width))) {
      const last = lines[lines.length - 1];
      if (last !== "" && last.length + word.trimEnd().length > width) lines.push(word);
      else lines[lines.length - 1] += word;
    }
    return lines.map((each) => each.trimEnd());
  });
}

/** A word that is longer than a line, in parts. */
function pieces(word: string, width: number): string[] {
  if (word.trimEnd().length <= width) return [word];
  return Array.from({ length: Math.ceil(word.length / width) }, (_, i) => word.slice(i * width, (i + 1) * width));
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}
