/** A reply as text by label. */
export type LabelledReply = Readonly<Record<string, string>>;

/**
 * Reads `LABEL: text` replies. A label stands at the beginning of a line (in bold or as a heading too) and its text goes
 * on until the next label that is known, over any number of lines; a label given twice counts the first time.
 */
export function labelledReply(text: string, labels: readonly string[]): LabelledReply {
  const head = new RegExp(`^[ \\t]*(?:[#>*_-]+[ \\t]*)*(${labels.join("|")})[ \\t*_]*:[ \\t*_]*(.*)$`, "i");
  const found: Record<string, string[]> = {};
  let lines: string[] | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, label, rest = ""] = head.exec(line) ?? [];
    if (label === undefined) {
      lines?.push(line);
      continue;
    }
    const name = label.toUpperCase();
    lines = [rest];
    if (!Object.hasOwn(found, name)) found[name] = lines;
  }
  return Object.fromEntries(Object.entries(found).map(([label, content]) => [label, content.join("\n").trim()]));
}

/** The items of a list: one per line or, on a single line, between semicolons; bullets, numbers and "none" are dropped. */
export function listItems(text: string | undefined): string[] {
  if (text === undefined) return [];
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const parts = lines.length === 1 ? (lines[0] ?? "").split(/;\s+/) : lines;
  return parts
    .map((part) => part.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, "").trim())
    .filter((part) => part !== "" && !/^\(?(?:none|n\/a|nothing)\)?\.?$/i.test(part) && part !== "-");
}
