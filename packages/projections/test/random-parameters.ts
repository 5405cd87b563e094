import fc from "fast-check";
import { PARAMETERS } from "../src/config/parameters.ts";
import { STARTING_PARAMETERS } from "../src/config/starting-point.ts";

/** Configurations with every tunable parameter anywhere in (or a little outside) its range, and odd shapes besides. */
export const randomParameters: fc.Arbitrary<Record<string, unknown>> = fc
  .record({
    values: fc.tuple(...PARAMETERS.map(({ min, max, decimals }) => number(min, max, decimals))),
    direction: fc.constantFrom("INCREASING", "DECREASING", "BI_EXCELLENT_HI", "BI_EXCELLENT_LOW"),
    base: fc.integer({ min: -2, max: 20 }),
    linear: fc.constantFrom("none", "PERFORMANCE_SCORING", "TEAM_QUALITY_SCORING", "WIND_SCORING"),
    window: fc.constantFrom(0, 0, 0, 3, 9),
  })
  .map(({ values, direction, base, linear, window }) => {
    const parameters = structuredClone(STARTING_PARAMETERS) as Record<string, Record<string, unknown>>;
    PARAMETERS.forEach(({ path }, i) => {
      const key = path.at(-1) ?? "";
      const owner = path.slice(0, -1).reduce((at, step) => at[step] as typeof parameters, parameters);
      (owner as Record<string, unknown>)[key] = values[i];
    });
    const performance = parameters.PERFORMANCE_SCORING;
    if (performance !== undefined) performance.MIN_WEEKS = Number(performance.MIN_WEEKS) + window;
    const matchup = parameters.MATCHUP_SCORING?.THRESHOLDS as Record<string, unknown>;
    matchup.DIRECTION = direction;
    matchup.BASE_POSITION = base;
    const section = parameters[linear];
    if (section !== undefined) section.SCALING = "LINEAR";
    return parameters;
  });

function number(min: number, max: number, decimals: number): fc.Arbitrary<number> {
  const scale = 10 ** decimals;
  return fc.integer({ min: Math.round(min * scale), max: Math.round(max * scale) }).map((n) => n / scale);
}
