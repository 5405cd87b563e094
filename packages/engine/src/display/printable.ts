import { styleText } from "node:util";

/** Characters that change the direction of what follows: a text that holds them reads differently from what it is. */
const DIRECTION = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069";

/**
 * Sequences that a terminal obeys, with what belongs to them (`ESC [ 31 m`, `ESC ] 0 ; title BEL`), and every other
 * control character but line break and tab. A sequence that never ends loses only its beginning: the rest stays readable.
 */
const OBEYED = new RegExp(
  [
    "(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]",
    "(?:\\u001b[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0000-\\u0008\\u000a-\\u001f\\u007f-\\u009f]*(?:\\u0007|\\u001b\\\\|\\u009c)",
    "\\u001b[ -/]*[0-~]?",
    "\\r(?=\\n)",
    `[^\\P{Cc}\\n\\t]`,
    `[${DIRECTION}]`,
  ].join("|"),
  "gu",
);
const UNESCAPED_IN_JSON = new RegExp(`[\\u007f-\\u009f\\u2028\\u2029${DIRECTION}]`, "gu");

/** What only we can have written: no text from outside knows it. */
const OURS = crypto.randomUUID();
const OUR_STYLE = new RegExp(`<${OURS} ([\\d;]+)>`, "g");

/** A text as a terminal may be shown it, whoever wrote it: nothing in it moves the cursor, sets a title or hides a word. */
export function printable(text: string): string {
  return text.replace(OBEYED, "").replace(OUR_STYLE, "\u001b[$1m");
}

/** A part of our own that stands out where standard output is a terminal with colours; it survives {@link printable}. */
export function styled(style: "bold" | "green" | "red", text: string): string {
  // `ESC [ 1 m`, what is painted, `ESC [ 22 m`; in a pipe there is neither.
  const [on, off] = styleText(style, "|", { stream: process.stdout })
    .split("|")
    .map((sequence) => sequence.slice(2, -1));
  return on === "" ? text : `<${OURS} ${on}>${text}<${OURS} ${off}>`;
}

/** The same on one line: a line break in a message cannot begin a line that somebody takes for ours. */
export function printableLine(text: string): string {
  return printable(text).replace(/[\n\t\u2028\u2029]+/g, "·");
}

/** JSON text in which whatever a terminal obeys is escaped; it says the same. */
export function printableJson(json: string): string {
  return json.replace(UNESCAPED_IN_JSON, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The beginning of a text that may be long; what is cut off ends in `…`. */
export function beginning(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
