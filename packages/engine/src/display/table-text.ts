import { styled } from "./printable.ts";

/** A column's title, and the side its cells keep to. */
export interface TableColumn {
  readonly title: string;
  readonly align?: "left" | "right";
}

/** Rows below each other, with their titles; bold titles in a terminal. */
export function tableText(columns: readonly TableColumn[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map(({ title }, i) => Math.max(title.length, ...rows.map((row) => (row[i] ?? "").length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (columns[i]?.align === "right" ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join("  ")
      .trimEnd();
  const head = styled("bold", line(columns.map(({ title }) => title)));
  return [head, ...rows.map(line)].join("\n");
}
