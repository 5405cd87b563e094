import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { columnFormat } from "./column-format.ts";
import { nameOf, saveCsv } from "./save.ts";

/** What a row has in a column: a number, written as the others of its column are, or a text; or something to press that stands for it. */
export type Cell = string | number | { readonly value: string | number; readonly shown: ComponentChildren };

/** A table for people. */
export interface PlainRows {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

const valueIn = (cell: Cell) => (typeof cell === "object" ? cell.value : cell);

/** A figure with its unit, or the sign that there is none. */
const FIGURE = /^([-–+−]?[\d.,]+( ?(%|ms|s|min))?|[-–])?$/;

const collator = new Intl.Collator("en", { numeric: true });

/** A table that scrolls when it is large and is sorted by the column that is pressed; numbers are to the right. */
export function PlainTable({ title, columns, rows }: PlainRows) {
  const [sort, setSort] = useState<{ readonly column: number; readonly descending: boolean } | undefined>(undefined);
  const looks = columns.map((_, column) => {
    const values = rows.map((row) => valueIn(row[column]));
    const isNumber = values.every((value) => typeof value === "number" || FIGURE.test(value));
    return { isNumber, text: columnFormat(values.filter((value) => typeof value === "number")) };
  });
  const press = (column: number): void =>
    setSort(
      sort?.column !== column
        ? { column, descending: false }
        : sort.descending
          ? undefined
          : { column, descending: true },
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard
    <section class="scrolls" tabIndex={0} aria-label={`${title}, table`}>
      <table class={stacksOf(columns)}>
        <thead>
          <tr>
            {columns.map((column, index) => {
              const way = sort?.column !== index ? "none" : sort.descending ? "descending" : "ascending";
              return (
                <th key={index} class={looks[index].isNumber ? "number" : ""} aria-sort={way}>
                  <button type="button" class="plain" onClick={() => press(index)}>
                    {column}
                    {way === "none" ? "" : way === "descending" ? " ↓" : " ↑"}
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {sorted(rows, sort).map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} data-label={columns[column]} class={looks[column].isNumber ? "number" : ""}>
                  {typeof cell === "number" ? looks[column].text(cell) : typeof cell === "object" ? cell.shown : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** So many columns have room on a phone; the cells of a row with more stand below each other there, each with its column's name. */
const MOST_BESIDE = 3;
export const stacksOf = ({ length }: readonly string[]) => (length > MOST_BESIDE ? "stacks" : "");

/** What is missing comes last, whichever way. */
function sorted(
  rows: PlainRows["rows"],
  sort: { readonly column: number; readonly descending: boolean } | undefined,
): PlainRows["rows"] {
  if (sort === undefined) return rows;
  const way = sort.descending ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [valueIn(one[sort.column]), valueIn(other[sort.column])];
    if (a === "" || b === "") return Number(a === "") - Number(b === "");
    return way * (typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b)));
  });
}

/** Saves a table's values, all digits. */
export function CsvButton({ title, columns, rows }: PlainRows) {
  return (
    <button
      type="button"
      class="plain save"
      aria-label={`CSV of ${title}`}
      onClick={() => saveCsv(nameOf(title), { columns, rows: rows.map((row) => row.map(valueIn)) })}
    >
      CSV
    </button>
  );
}

/** The same with its title above, and a way to save it. */
export function TablePanel({ children, ...table }: PlainRows & { readonly children?: ComponentChildren }) {
  return (
    <section class="panel" aria-label={table.title}>
      <div class="titled">
        <h2>{table.title}</h2>
        <CsvButton {...table} />
      </div>
      {children}
      <PlainTable {...table} />
    </section>
  );
}
