import { readCsv } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import type { Completeness, Metrics } from "../contract.ts";
import type { ResultsFormat, TreeConfig } from "../settings.ts";

/** Results that cannot be read, with the place and what would be right. */
export class ResultsError extends Error {
  override readonly name = "ResultsError";
}

/** A sweep's results: one row per configuration. A one-object JSON result is one row. */
export interface ResultsTable {
  readonly columns: readonly string[];
  readonly rows: readonly ResultsRow[];
}

export interface ResultsRow {
  /** The configuration's number, if it is one. */
  readonly id: number | undefined;
  readonly cells: readonly string[];
  /** The row says of itself that it failed. */
  readonly failed: boolean;
}

/** Reads results in either format; `name` is how messages call the file. */
export function readResults(text: string, format: ResultsFormat, name: string): ResultsTable {
  return format.format === "json" ? fromJson(text, name) : fromCsv(text, format, name);
}

/** Reads results that can be scored: the primary column, if there is one, has a number in a row that counts. */
export function readScorable(
  text: string,
  { results, score }: Pick<TreeConfig, "results" | "score">,
  limit: number | null,
  name: string,
): ResultsTable {
  const table = readResults(text, results, name);
  const primary = primaryOf(score);
  if (primary === undefined || Object.hasOwn(columnMeans(table, rowsWithin(table, limit)), primary)) return table;
  const there = table.columns.includes(primary);
  const why = there ? "holds no finite number in the primary column" : "lacks the primary column";
  const has = there ? "" : `: it has ${table.columns.join(", ")}, and score.primary says which of them counts`;
  throw new ResultsError(`${name} ${why} ${JSON.stringify(primary)}${has}`);
}

export function primaryOf(score: TreeConfig["score"]): string | undefined {
  return score.kind === "columns" ? score.primary : undefined;
}

function fromCsv(text: string, { idColumn, errorColumn }: ResultsFormat, name: string): ResultsTable {
  const [header, ...records] = csvRecords(text, name);
  if (header === undefined)
    throw new ResultsError(`${name} is empty: a header line and a row per configuration are needed`);
  const columns = header.fields.map((column) => column.trim());
  const twice = columns.find((column, i) => columns.indexOf(column) !== i);
  if (twice !== undefined) throw new ResultsError(`${name}: the column ${JSON.stringify(twice)} is there twice`);
  if (records.length === 0) throw new ResultsError(`${name} has a header but no row`);
  const idAt = columns.indexOf(idColumn);
  const errorAt = errorColumn === null ? -1 : columns.indexOf(errorColumn);
  const rows = records.map(({ line, fields }) => {
    if (fields.length !== columns.length) {
      const cut =
        line === records[records.length - 1].line && fields.length < columns.length ? "; the file may be cut off" : "";
      throw new ResultsError(
        `${name} line ${line}: ${fields.length} fields where the header has ${columns.length}${cut}`,
      );
    }
    return {
      id: idAt === -1 ? undefined : wholeNumber(fields[idAt]),
      cells: fields,
      failed: hasFailed(fields[errorAt]),
    };
  });
  return { columns, rows };
}

function csvRecords(text: string, name: string) {
  try {
    return readCsv(name, text);
  } catch (error) {
    if (error instanceof UsageError) throw new ResultsError(error.message);
    throw error;
  }
}

function fromJson(text: string, name: string): ResultsTable {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch (error) {
    throw new ResultsError(`${name} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (typeof said !== "object" || said === null || Array.isArray(said)) {
    throw new ResultsError(`${name} must be one JSON object of numbers, such as {"score": 1.5}`);
  }
  const numbers = Object.entries(said).filter((entry): entry is [string, number] => typeof entry[1] === "number");
  if (numbers.length === 0)
    throw new ResultsError(`${name} holds no number: one JSON object such as {"score": 1.5} is needed`);
  return {
    columns: numbers.map(([column]) => column),
    rows: [{ id: 0, cells: numbers.map(([, value]) => String(value)), failed: false }],
  };
}

/** The rows that count with a limit of N configurations: those numbered below N, or the first N when none is numbered. */
export function rowsWithin(table: ResultsTable, limit: number | null): readonly ResultsRow[] {
  if (limit === null) return table.rows;
  if (table.rows.every(({ id }) => id === undefined)) return table.rows.slice(0, limit);
  return table.rows.filter(({ id }) => id !== undefined && id < limit);
}

/** Rows against the limit N: every configuration once, none failed, and a number in each primary cell. */
export function completeness(table: ResultsTable, limit: number | null, primary: string | undefined): Completeness {
  const rows = rowsWithin(table, limit);
  const primaryAt = primary === undefined ? -1 : table.columns.indexOf(primary);
  const bad = rows.filter(
    ({ failed, cells }) => failed || (primaryAt !== -1 && finite(cells[primaryAt]) === undefined),
  );
  const uniqueIds = new Set(rows.flatMap(({ id }) => (id === undefined ? [] : [id]))).size;
  const ok = rows.length - bad.length;
  const complete = limit === null ? bad.length === 0 : uniqueIds === limit && ok === limit && bad.length === 0;
  return { expected: limit, uniqueIds, ok, errors: bad.length, complete };
}

/** Mean over the finite cells of each column that has any. */
export function columnMeans(table: ResultsTable, rows: readonly ResultsRow[]): Metrics {
  const means = new Map<string, number>();
  table.columns.forEach((column, at) => {
    let sum = 0;
    let count = 0;
    for (const { cells } of rows) {
      const value = finite(cells[at]);
      if (value === undefined) continue;
      sum += value;
      count++;
    }
    if (count > 0 && Number.isFinite(sum / count)) means.set(column, sum / count);
  });
  return Object.fromEntries(means);
}

/** What was measured: all but the numbers that configurations are told apart by, unless they are scored. */
export function withoutIds(metrics: Metrics, { results, score }: Pick<TreeConfig, "results" | "score">): Metrics {
  const { idColumn } = results;
  const isScored = score.kind === "columns" && score.metrics.some(({ column }) => column === idColumn);
  if (isScored || !Object.hasOwn(metrics, idColumn)) return metrics;
  return Object.fromEntries(Object.entries(metrics).filter(([column]) => column !== idColumn));
}

/** A cell as a finite number; undefined for blanks, NaN, infinities and words. */
function finite(cell: string): number | undefined {
  const text = cell.trim();
  const value = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

function wholeNumber(cell: string): number | undefined {
  const text = cell.trim();
  const value = /^\d+(\.0+)?$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}

function hasFailed(cell: string | undefined): boolean {
  return cell !== undefined && !/^(|ok|none|null|nan|0|false)$/i.test(cell.trim());
}
