/** A text that is not the CSV it should be; the message says where. */
export class CsvError extends Error {
  override readonly name = "CsvError";
}

/** Records of a CSV text with the line each began at. Fields may be quoted, and then hold commas, quotes and newlines. */
export interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/** Reads CSV as RFC 4180 has it, with any kind of line end; blank lines are passed over. */
export function readCsv(text: string): CsvRecord[] {
  const found: CsvRecord[] = [];
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  let line = 1;
  while (at < text.length) {
    const begin = line;
    const fields: string[] = [];
    for (;;) {
      const field = text[at] === '"' ? quotedField(text, at, begin) : plainField(text, at);
      fields.push(field.value);
      line += field.newlines;
      at = field.end;
      if (text[at] !== ",") break;
      at++;
    }
    if (text[at] === "\r") at++;
    if (text[at] === "\n") at++;
    line++;
    if (fields.length > 1 || fields[0] !== "") found.push({ line: begin, fields });
  }
  return found;
}

interface Field {
  readonly value: string;
  readonly end: number;
  readonly newlines: number;
}

function plainField(text: string, at: number): Field {
  let end = at;
  while (end < text.length && text[end] !== "," && text[end] !== "\n" && text[end] !== "\r") end++;
  return { value: text.slice(at, end), end, newlines: 0 };
}

function quotedField(text: string, at: number, line: number): Field {
  let value = "";
  let end = at + 1;
  for (;;) {
    const quote = text.indexOf('"', end);
    if (quote === -1) throw new CsvError(`line ${line}: a quoted field is not closed; the file may be cut off`);
    value += text.slice(end, quote);
    end = quote + 1;
    if (text[end] !== '"') break;
    value += '"';
    end++;
  }
  const next = text[end];
  if (next !== undefined && next !== "," && next !== "\n" && next !== "\r") {
    throw new CsvError(
      `line ${line}: ${JSON.stringify(next)} follows a closing quote where a comma or the end should be`,
    );
  }
  return { value, end, newlines: value.split("\n").length - 1 };
}
