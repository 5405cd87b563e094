import { palette } from "../theme.ts";
import { type Scene, svgOf } from "./scene.ts";

/** What stands behind a chart, as it can be read and saved. */
export interface ChartTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** What a file of something with a title is called. */
export function nameOf(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}

/** Saves the numbers. */
export function saveCsv(name: string, { columns, rows }: ChartTable): void {
  const lines = [columns, ...rows].map((row) => row.map(field).join(","));
  save(`${name}.csv`, new Blob([`${lines.join("\r\n")}\r\n`], { type: "text/csv" }));
}

/** Saves the drawing, with its title on top. */
export function saveSvg(name: string, scene: Scene): void {
  save(`${name}.svg`, new Blob([svgOf(scene, palette())], { type: "image/svg+xml" }));
}

/** Saves the drawing as pixels, twice as many as on paper. */
export async function savePng(name: string, scene: Scene): Promise<void> {
  const url = URL.createObjectURL(new Blob([svgOf(scene, palette())], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * scene.width;
  canvas.height = 2 * scene.height;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (blob !== null) save(`${name}.png`, blob);
}

/** Has the browser save a file. */
export function save(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A spreadsheet takes what begins with one of these for a formula. */
const FORMULA = /^[=+@\t\r]|^-(?![\d.])/;

function field(value: string | number): string {
  const text = typeof value === "string" && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
