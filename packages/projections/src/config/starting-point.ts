import { HORIZONS } from "../horizon.ts";
import type { Baseline } from "./baseline.ts";
import type { HorizonParameters } from "./configuration.ts";

const MULTIPLIERS = { VERY_POOR: 0.95, POOR: 0.975, GOOD: 1.025, EXCELLENT: 1.05 };

function section(direction: string, steps: number, weight: number): Readonly<Record<string, unknown>> {
  return {
    THRESHOLDS: { BASE_POSITION: 0, DIRECTION: direction, STEPS: steps },
    MULTIPLIERS,
    WEIGHT: weight,
  };
}

/** Every factor at an ordinary strength: where tuning starts when nobody has tuned before. */
export const STARTING_PARAMETERS: HorizonParameters = {
  NORMALIZATION_MAX_SCALE: 120,
  TEAM_QUALITY_SCORING: { MIN_WEEKS: 5, ...section("DECREASING", 6, 1) },
  PERFORMANCE_SCORING: { MIN_WEEKS: 3, ...section("BI_EXCELLENT_HI", 0.18, 1) },
  MATCHUP_SCORING: { MIN_WEEKS: 5, IMPACT_SCALE: 100, ...section("INCREASING", 6, 1) },
  TEMPERATURE_SCORING: { IDEAL_TEMPERATURE: 60, IMPACT_SCALE: 50, ...section("DECREASING", 10, 1) },
  WIND_SCORING: { IMPACT_SCALE: 60, ...section("DECREASING", 8, 1) },
  LOCATION_MODIFIERS: { HOME: 1, AWAY: -1, INTERNATIONAL: -2 },
};

/** The starting point as a baseline folder would give it. */
export function startingBaseline(): Baseline {
  return {
    league: { config_name: "start", description: "What all horizons share", parameters: { CURRENT_NFL_WEEK: 1 } },
    horizons: Object.fromEntries(HORIZONS.map((horizon) => [horizon.name, structuredClone(STARTING_PARAMETERS)])),
    notices: [],
  };
}
