/** A heater under the plate: where it is, as parts of the plate's side, and how strong, in degrees per second. */
export interface Heater {
  readonly x: number;
  readonly y: number;
  readonly power: number;
}

/** Cells along each side of the plate. */
export const PLATE_CELLS = 56;
/** Diffusivity × time step ÷ cell area; explicit steps are stable up to 0.25. */
const DIFFUSION = 0.2;
const STEPS = 700;
const STEP_SECONDS = 0.05;
/** A heater warms a patch this many cells wide. */
const HEATER_CELLS = 5;

/**
 * Temperatures of a square plate, row by row, after heating for {@link STEPS} steps: dT/dt = a ∇²T + heat, edges kept
 * at 0°. Explicit finite differences; a plain loop over two preallocated arrays.
 */
export function heatPlate(heaters: readonly Heater[]): Float64Array {
  const n = PLATE_CELLS;
  const heat = heatPerStep(heaters);
  let now = new Float64Array(n * n);
  let next = new Float64Array(n * n);
  for (let step = 0; step < STEPS; step++) {
    for (let row = 1; row < n - 1; row++) {
      for (let i = row * n + 1; i < row * n + n - 1; i++) {
        next[i] = now[i] + DIFFUSION * (now[i - 1] + now[i + 1] + now[i - n] + now[i + n] - 4 * now[i]) + heat[i];
      }
    }
    const last = now;
    now = next;
    next = last;
  }
  return now;
}

/** Each heater's warmth on its patch; weights fall off linearly, so that a small move changes a little. */
function heatPerStep(heaters: readonly Heater[]): Float64Array {
  const n = PLATE_CELLS;
  const heat = new Float64Array(n * n);
  for (const { x, y, power } of heaters) {
    for (let row = 1; row < n - 1; row++) {
      for (let column = 1; column < n - 1; column++) {
        const across = Math.abs(column - x * (n - 1)) / HEATER_CELLS;
        const down = Math.abs(row - y * (n - 1)) / HEATER_CELLS;
        const share = Math.max(0, 1 - across) * Math.max(0, 1 - down);
        heat[row * n + column] += power * share * STEP_SECONDS;
      }
    }
  }
  return heat;
}

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
