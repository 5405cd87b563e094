import { type Heater, heatPlate, PLATE_CELLS } from "./plate.ts";

/** Where the thermometers are: four by four, as parts of the plate's side. */
const PLACES = [0.2, 0.4, 0.6, 0.8];

/** What the thermometers read, row by row. */
export function readThermometers(temperatures: Float64Array): number[] {
  const cell = (part: number) => Math.round(part * (PLATE_CELLS - 1));
  return PLACES.flatMap((y) => PLACES.map((x) => temperatures[cell(y) * PLATE_CELLS + cell(x)]));
}

/** How far the readings of supposed heaters are from measured ones: root mean square, in degrees. */
export function misfit(heaters: readonly Heater[], measured: readonly number[]): number {
  const readings = readThermometers(heatPlate(heaters));
  const squares = readings.reduce((sum, reading, i) => sum + (reading - measured[i]) ** 2, 0);
  return Math.sqrt(squares / readings.length);
}

/** The heaters to be found; the search sees only what the thermometers read. */
export const HIDDEN_HEATERS: readonly Heater[] = [
  { x: 0.3, y: 0.35, power: 9 },
  { x: 0.7, y: 0.62, power: 6 },
];

/** Lowest and highest of each coordinate the search may try: x, y and power of each heater. */
export const BOUNDS: readonly (readonly [low: number, high: number])[] = HIDDEN_HEATERS.flatMap(() => [
  [0.05, 0.95] as const,
  [0.05, 0.95] as const,
  [1, 12] as const,
]);

/** Reads a point of the search as heaters. */
export function heatersAt(point: readonly number[]): Heater[] {
  return HIDDEN_HEATERS.map((_, i) => ({ x: point[3 * i], y: point[3 * i + 1], power: point[3 * i + 2] }));
}
