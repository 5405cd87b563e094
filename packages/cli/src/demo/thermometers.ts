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
