import { UsageError } from "@coppice/engine/usage-error";

/** A line of a CSV file with a header, read by column name. */
export class CsvRow {
  readonly #file: string;
  readonly #line: number;
  readonly #columns: ReadonlyMap<string, number>;
  readonly #fields: readonly string[];

  constructor(file: string, line: number, columns: ReadonlyMap<string, number>, fields: readonly string[]) {
    this.#file = file;
    this.#line = line;
    this.#columns = columns;
    this.#fields = fields;
  }

  text(column: string): string {
    return (this.#fields[this.#columns.get(column) ?? -1] ?? "").trim();
  }

  /** Blank counts as 0. */
  number(column: string): number {
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
    return new UsageError(`${this.#file} line ${this.#line}: ${what}`);
  }
}

/** Parses a CSV text with a header line; every required column must be there and every row complete. */
export function parseCsv(file: string, text: string, required: readonly string[]): readonly CsvRow[] {
  const lines = records(text);
  const header = (lines[0]?.fields ?? []).map((name) => name.trim());
  const columns = new Map(header.map((name, i) => [name, i] as const));
  for (const name of required) {
    if (!columns.has(name)) {
      throw new UsageError(`${file} has no column ${name}; it needs ${abridged(required)}`);
    }
  }
  return lines.slice(1).map(({ line, fields }) => {
    if (fields.length !== header.length) {
      throw new UsageError(`${file} line ${line}: ${fields.length} fields where the header has ${header.length}`);
    }
    return new CsvRow(file, line, columns, fields);
  });
}

/** `prefix1 … prefixN`, the columns of a weekly series. */
export function weekColumns(prefix: string, weeks: number): readonly string[] {
  return Array.from({ length: weeks }, (_, i) => `${prefix}${i + 1}`);
}

function abridged(names: readonly string[]): string {
  return names.length <= 12 ? names.join(",") : `${names.slice(0, 8).join(",")},…,${names[names.length - 1]}`;
}

interface Record {
  readonly line: number;
  readonly fields: readonly string[];
}

function records(text: string): readonly Record[] {
  const found: Record[] = [];
  text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .forEach((line, i) => {
      if (line !== "") found.push({ line: i + 1, fields: line.includes('"') ? quoted(line) : line.split(",") });
    });
  return found;
}

/** Splits a line in which fields may be quoted; a doubled quote stands for one. */
function quoted(line: string): readonly string[] {
  const fields: string[] = [];
  let field = "";
  let inside = false;
  for (let i = 0; i < line.length; i++) {
    const c = line[i];
    if (inside) {
      if (c !== '"') field += c;
      else if (line[i + 1] === '"') {
        field += '"';
        i++;
      } else inside = false;
    } else if (c === '"') inside = true;
    else if (c === ",") {
      fields.push(field);
      field = "";
    } else field += c;
  }
  fields.push(field);
  return fields;
}
