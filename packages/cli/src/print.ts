import { printable, printableJson, printableLine } from "@coppice/engine/printable";

// Everything that a command prints passes here: names, errors and answers come from files, models and repositories, and
// none of them may speak to the terminal. The live display draws with escapes of its own, around texts that have none.

/** Prints a text to standard output as it may be shown. */
export function print(text: string): void {
  process.stdout.write(printable(text));
}

/** Tells the person something that is not the result, on one line. */
export function tell(line: string): void {
  process.stderr.write(`${printableLine(line)}\n`);
}

/** Says something about a result, beside it, so that the result can be piped on alone. */
export function remark(text: string): void {
  if (text !== "") process.stderr.write(`${printable(text)}\n`);
}

/** How a command ended or what it noticed: one line, with `COPPICE_DEBUG` the stack below. */
export function notice(text: string): void {
  process.stderr.write(`coppice: ${printable(text)}\n`);
}

/** The one JSON document that a command with `--json` prints. Nothing is left out of it: what a terminal obeys is escaped. */
export function printJson(value: unknown): void {
  process.stdout.write(`${printableJson(JSON.stringify(value, null, 2))}\n`);
}

/** Prints what a command found: as one JSON document, or as text for people. */
export function printAnswer(
  json: boolean | undefined,
  document: unknown,
  text: () => string,
  notices: readonly string[] = [],
): void {
  for (const line of notices) tell(`note: ${line}`);
  if (json === true) printJson(document);
  else print(text().replace(/\n?$/, "\n"));
}

/** One of many JSON values, on a line of its own. */
export function printJsonLine(value: unknown): void {
  process.stdout.write(`${printableJson(JSON.stringify(value))}\n`);
}

/** What a program printed, byte for byte; on a terminal as it may be shown. */
export function printBytes(name: "stdout" | "stderr", bytes: Uint8Array): void {
  if (bytes.length === 0) return;
  process[name].write(process[name].isTTY ? printable(Buffer.from(bytes).toString("utf8")) : bytes);
}
