import { printable, printableJson } from "@coppice/engine/printable";

// Everything that a command prints passes here: names, errors and answers come from files, models and repositories, and
// none of them may speak to the terminal. The live display draws with escapes of its own, around texts that have none.

/** Prints a text to standard output as it may be shown. */
export function print(text: string): void {
  process.stdout.write(printable(text));
}

/** Tells the person something that is not the result. */
export function tell(text: string): void {
  process.stderr.write(printable(text));
}

/** One line for people, beside whatever a command prints for programs. */
export function notice(line: string): void {
  tell(`coppice: ${line}\n`);
}

/** The one JSON document that a command with `--json` prints. Nothing is left out of it: what a terminal obeys is escaped. */
export function printJson(value: unknown): void {
  process.stdout.write(`${printableJson(JSON.stringify(value, null, 2))}\n`);
}

/** One of many JSON values, on a line of its own. */
export function printJsonLine(value: unknown): void {
  process.stdout.write(`${printableJson(JSON.stringify(value))}\n`);
}
