import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Palette } from "../theme.ts";
import { stacksOf } from "./plain-table.tsx";
import { type ChartTable, nameOf, saveCsv, savePng, saveSvg } from "./save.ts";
import type { Scene } from "./scene.ts";
import { titled } from "./titled-scene.ts";

/** A colour of a chart and what it stands for. */
export interface LegendKey {
  readonly colour: keyof Palette;
  readonly text: string;
}

interface ChartFrameProps {
  readonly title: string;
  readonly unit: string;
  readonly legend: readonly LegendKey[];
  /** The values under the pointer, or where the arrow keys led. */
  readonly readout: string;
  readonly table: () => ChartTable;
  /** The chart as it is saved. */
  readonly scene: () => Scene;
  readonly children: ComponentChildren;
}

/** What every chart has: a title, its units, a legend, values under the pointer, the table behind it, and ways to save it. */
export function ChartFrame({ title, unit, legend, readout, table, scene, children }: ChartFrameProps) {
  const [showsTable, setShowsTable] = useState(false);
  const name = nameOf(title);
  return (
    <figure class="chart panel" aria-label={title}>
      <figcaption>
        <h2>{title}</h2>
        <span class="unit">{unit}</span>
        <span class="tools">
          <button type="button" class="plain" aria-pressed={showsTable} onClick={() => setShowsTable(!showsTable)}>
            Table
          </button>
          <button type="button" class="plain" onClick={() => savePng(name, titled(scene(), title, unit, legend))}>
            PNG
          </button>
          <button type="button" class="plain" onClick={() => saveSvg(name, titled(scene(), title, unit, legend))}>
            SVG
          </button>
          <button type="button" class="plain" onClick={() => saveCsv(name, table())}>
            CSV
          </button>
        </span>
      </figcaption>
      <div class="legend">
        {legend.map(({ colour, text }) => (
          <span class="key" key={text}>
            <span class="swatch" style={{ background: `var(--${colour})` }} />
            {text}
          </span>
        ))}
        <span class="readout" aria-live="polite">
          {readout}
        </span>
      </div>
      {children}
      {showsTable && <DataTable table={table()} />}
    </figure>
  );
}

/** A page of numbers is enough to read; all of them are in the CSV. */
const MOST_ROWS = 1000;

function DataTable({ table: { columns, rows } }: { readonly table: ChartTable }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard
    <section class="data" tabIndex={0} aria-label="table">
      <table class={stacksOf(columns)}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={column} class={lookOf(rows, index)}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map((row, index) => (
            <tr key={index}>
              {row.map((value, column) => (
                <td key={columns[column]} data-label={columns[column]} class={lookOf(rows, column)}>
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Numbers are to the right. */
function lookOf(rows: ChartTable["rows"], column: number): string {
  return rows.length > 0 && rows.every((row) => row[column] === "" || typeof row[column] === "number") ? "number" : "";
}
