import { UsageError } from "../usage-error.ts";

/** A record of a CSV text with the line it began at. */
export interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/**
 * Reads CSV as RFC 4180 has it, with any kind of line end: quoted fields may hold commas, quotes and newlines. Blank
 * lines are left out. `file` is what messages call the text.
 */
export function readCsv(file: string, text: string): CsvRecord[] {
  const found: CsvRecord[] = [];
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  let line = 1;
  while (at < text.length) {
    const begin = line;
    const fields: string[] = [];
    for (;;) {
      const quoted = text.charCodeAt(at) === QUOTE;
      const end = quoted ? closingQuote(file, text, at, begin) : plainEnd(text, at);
      fields.push(quoted ? text.slice(at + 1, end - 1).replaceAll('""', '"') : text.slice(at, end));
      if (quoted) line += fields[fields.length - 1].split("\n").length - 1;
      at = end;
      if (text.charCodeAt(at) !== COMMA) break;
      at++;
    }
    if (text.charCodeAt(at) === RETURN) at++;
    if (text.charCodeAt(at) === NEWLINE) at++;
    line++;
    if (fields.length > 1 || fields[0] !== "") found.push({ line: begin, fields });
  }
  return found;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const RETURN = 0x0d;
const NEWLINE = 0x0a;

function plainEnd(text: string, at: number): number {
  let end = at;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === COMMA || code === NEWLINE || code === RETURN) break;
  }
  return end;
}

/** The place after the quote that closes the field. */
function closingQuote(file: string, text: string, at: number, line: number): number {
  let end = at;
  do {
    const quote = text.indexOf('"', end + 1);
    if (quote === -1) throw wrongAt(file, line, "a quoted field is not closed; the file may be cut off");
    end = quote + 1;
  } while (text.charCodeAt(end) === QUOTE);
  const next = text[end];
  if (next !== undefined && next !== "," && next !== "\n" && next !== "\r") {
    throw wrongAt(file, line, `${JSON.stringify(next)} follows a closing quote where a comma or the end should be`);
  }
  return end;
}

/** A row of a table with a header, read by column name; fields are trimmed, and "" where a column is absent. */
export class CsvRow {
  readonly line: number;
  readonly #file: string;
  readonly #columns: ReadonlyMap<string, number>;
  readonly #fields: readonly string[];

  constructor(file: string, { line, fields }: CsvRecord, columns: ReadonlyMap<string, number>) {
    this.line = line;
    this.#file = file;
    this.#columns = columns;
    this.#fields = fields;
  }

  text(column: string): string {
    return (this.#fields[this.#columns.get(column) ?? -1] ?? "").trim();
  }

  numberOrZero(column: string): number {
    const text = this.text(column);
    if (text === "") return 0;
    const value = Number(text);
    if (!Number.isFinite(value)) throw this.wrong(`${column} is ${JSON.stringify(text)}, not a finite number`);
    return value;
  }

  integer(column: string, min: number, max: number): number {
    const text = this.text(column);
    const value = Number(text);
    if (text === "" || !Number.isInteger(value) || value < min || value > max) {
      throw this.wrong(`${column} is ${JSON.stringify(text)}; it must be a whole number from ${min} to ${max}`);
    }
    return value;
  }

  wrong(what: string): UsageError {
    return wrongAt(this.#file, this.line, what);
  }
}

/** Reads a table with a header: every required column must be there, in any case, and every row complete. */
export function readCsvTable(file: string, text: string, required: readonly string[]): readonly CsvRow[] {
  const [header, ...records] = readCsv(file, text);
  const names = (header?.fields ?? []).map((name) => name.trim().toLowerCase());
  const columns = new Map(names.map((name, i) => [name, i] as const));
  for (const name of required) {
    const at = columns.get(name.toLowerCase());
    if (at === undefined) throw new UsageError(`${file} has no column ${name}; it needs ${abridged(required)}`);
    if (names.indexOf(name.toLowerCase()) !== at) throw new UsageError(`${file} has the column ${name} twice`);
    columns.set(name, at);
  }
  const rows = records.filter(({ fields }) => fields.length > 1 || fields[0].trim() !== "");
  for (const { line, fields } of rows) {
    if (fields.length !== names.length)
      throw wrongAt(file, line, `${fields.length} fields where the header has ${names.length}`);
  }
  return rows.map((record) => new CsvRow(file, record, columns));
}

function wrongAt(file: string, line: number, what: string): UsageError {
  return new UsageError(`${file} line ${line}: ${what}`);
}

function abridged(names: readonly string[]): string {
  return names.length <= 12 ? names.join(",") : `${names.slice(0, 8).join(",")},…,${names[names.length - 1]}`;
}

/** A table as CSV text: fields that need it are quoted, null is an empty field. */
export function csvText(columns: readonly string[], rows: Iterable<readonly (string | number | null)[]>): string {
  const lines = [columns, ...rows].map((row) => row.map(csvField).join(","));
  return `${lines.join("\n")}\n`;
}

function csvField(value: string | number | null): string {
  const text = value === null ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
