import { styled } from "./printable.ts";

/** A column's title; the cells of a column keep to the left unless it says `right`. */
export type TableColumn = string | { readonly right: string };

/** Columns whose cells keep to the right, as figures do. */
export function right(...titles: readonly string[]): TableColumn[] {
  return titles.map((title) => ({ right: title }));
}

/** Rows below each other, with their titles; bold titles in a terminal. */
export function tableText(columns: readonly TableColumn[], rows: readonly (readonly string[])[]): string {
  const titles = columns.map((column) => (typeof column === "string" ? column : column.right));
  const widths = titles.map((title, i) => Math.max(title.length, ...rows.map((row) => (row[i] ?? "").length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (typeof columns[i] === "object" ? cell.padStart(widths[i]) : cell.padEnd(widths[i] ?? 0)))
      .join("  ")
      .trimEnd();
  return [styled("bold", line(titles)), ...rows.map(line)].join("\n");
}
