const ESCAPE = String.fromCharCode(27);

/** Escape sequences other than bold on and off, which our own tables use. */
const foreign = new RegExp(`${ESCAPE}(?!\\[(?:1|22)m)`, "g");
const controls = new RegExp(`[^\\P{Cc}\\n\\t${ESCAPE}]`, "gu");

/** A text with what models wrote in it, fit for a terminal: nothing in it moves the cursor, colours or clears anything. */
export function printable(text: string): string {
  return text.replace(foreign, "").replace(controls, "");
}
