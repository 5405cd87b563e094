/** A tunable number of a horizon's configuration. */
export interface TunableParameter {
  readonly name: string;
  /** Where it lives in the horizon's parameters. */
  readonly path: readonly string[];
  readonly min: number;
  readonly max: number;
  /** Digits after the point of a drawn value; 0 means whole numbers. */
  readonly decimals: number;
}

function parameter(name: string, path: string, min: number, max: number, decimals: number): TunableParameter {
  return { name, path: path.split("."), min, max, decimals };
}

/** In the order they are tuned. */
export const PARAMETERS: readonly TunableParameter[] = [
  parameter("NORMALIZATION_MAX_SCALE", "NORMALIZATION_MAX_SCALE", 50, 200, 0),
  parameter("TEAM_QUALITY_SCORING_WEIGHT", "TEAM_QUALITY_SCORING.WEIGHT", 0, 4, 2),
  parameter("TEAM_QUALITY_MIN_WEEKS", "TEAM_QUALITY_SCORING.MIN_WEEKS", 1, 12, 0),
  parameter("PERFORMANCE_SCORING_WEIGHT", "PERFORMANCE_SCORING.WEIGHT", 0, 8, 2),
  parameter("PERFORMANCE_SCORING_STEPS", "PERFORMANCE_SCORING.THRESHOLDS.STEPS", 0.01, 0.3, 2),
  parameter("PERFORMANCE_MIN_WEEKS", "PERFORMANCE_SCORING.MIN_WEEKS", 1, 14, 0),
  parameter("MATCHUP_IMPACT_SCALE", "MATCHUP_SCORING.IMPACT_SCALE", 25, 250, 0),
  parameter("MATCHUP_SCORING_WEIGHT", "MATCHUP_SCORING.WEIGHT", 0, 4, 2),
  parameter("MATCHUP_MIN_WEEKS", "MATCHUP_SCORING.MIN_WEEKS", 1, 14, 0),
  parameter("TEMPERATURE_IMPACT_SCALE", "TEMPERATURE_SCORING.IMPACT_SCALE", 0, 200, 0),
  parameter("TEMPERATURE_SCORING_WEIGHT", "TEMPERATURE_SCORING.WEIGHT", 0, 3, 2),
  parameter("WIND_IMPACT_SCALE", "WIND_SCORING.IMPACT_SCALE", 0, 150, 0),
  parameter("WIND_SCORING_WEIGHT", "WIND_SCORING.WEIGHT", 0, 4, 2),
  parameter("LOCATION_HOME", "LOCATION_MODIFIERS.HOME", -5, 15, 1),
  parameter("LOCATION_AWAY", "LOCATION_MODIFIERS.AWAY", -15, 5, 1),
  parameter("LOCATION_INTERNATIONAL", "LOCATION_MODIFIERS.INTERNATIONAL", -25, 5, 1),
];
