import type { Heater } from "./plate.ts";

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
