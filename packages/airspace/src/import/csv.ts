import { UsageError } from "@coppice/engine/usage-error";
import type { InputText } from "./published.ts";

/** One row of a table: its line in the file and its fields by column name. */
export interface Row<Column extends string> {
  readonly line: number;
  readonly fields: Readonly<Record<Column, string>>;
}

/** Reads comma-separated text with a header line; fields may be quoted. Optional columns are "" where absent. */
export function readTable<Column extends string>(
  file: InputText,
  required: readonly Column[],
  optional: readonly Column[] = [],
): Row<Column>[] {
  const [first, ...lines] = file.text.split(/\r?\n/);
  const header = splitLine(first.replace(/^\uFEFF/, ""), file.source, 1).map((name) => name.trim().toLowerCase());
  for (const column of required) {
    if (!header.includes(column)) {
      throw new UsageError(`${file.source}:1: no column "${column}"; the header should name ${required.join(", ")}`);
    }
  }
  const places = [...required, ...optional].map((column) => [column, header.indexOf(column)] as const);
  const rows: Row<Column>[] = [];
  lines.forEach((text, i) => {
    const line = i + 2;
    if (text.trim() === "") return;
    const cells = splitLine(text, file.source, line);
    if (cells.length !== header.length) {
      throw new UsageError(`${file.source}:${line}: ${cells.length} fields, the header has ${header.length}`);
    }
    const fields = Object.fromEntries(places.map(([column, at]) => [column, at === -1 ? "" : cells[at].trim()]));
    rows.push({ line, fields: fields as Record<Column, string> });
  });
  return rows;
}

function splitLine(text: string, source: string, line: number): string[] {
  if (!text.includes('"')) return text.split(",");
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    if (text[at] !== '"') {
      const comma = text.indexOf(",", at);
      cells.push(comma === -1 ? text.slice(at) : text.slice(at, comma));
      if (comma === -1) return cells;
      at = comma + 1;
      continue;
    }
    let cell = "";
    let close = text.indexOf('"', at + 1);
    while (close !== -1 && text[close + 1] === '"') {
      cell += text.slice(at + 1, close + 1);
      at = close + 1;
      close = text.indexOf('"', at + 1);
    }
    if (close === -1) throw new UsageError(`${source}:${line}: a quoted field has no closing quote`);
    cells.push(cell + text.slice(at + 1, close));
    if (close + 1 >= text.length) return cells;
    if (text[close + 1] !== ",")
      throw new UsageError(`${source}:${line}: text after a closing quote; a comma should follow`);
    at = close + 2;
  }
}
