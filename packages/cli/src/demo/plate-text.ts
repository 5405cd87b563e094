import { PLATE_CELLS } from "./plate.ts";

const SHADES = " .:-=+*#%@";
const COLUMNS = 40;
const ROWS = 16;

/** A plate's temperatures as a small picture in letters, the hottest cell as `@`. */
export function plateText(temperatures: Float64Array): string {
  const hottest = temperatures.reduce((a, b) => Math.max(a, b), 0);
  const cell = (i: number, count: number) => Math.round((i / (count - 1)) * (PLATE_CELLS - 1));
  const lines = Array.from({ length: ROWS }, (_, row) =>
    Array.from({ length: COLUMNS }, (_, column) => {
      const part = hottest === 0 ? 0 : temperatures[cell(row, ROWS) * PLATE_CELLS + cell(column, COLUMNS)] / hottest;
      return SHADES[Math.min(SHADES.length - 1, Math.floor(part * SHADES.length))];
    }).join(""),
  );
  return lines.map((line) => `  |${line}|`).join("\n");
}
