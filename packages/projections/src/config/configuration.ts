import { wrongField } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";
import { DIRECTIONS, type Ladder, ladder } from "./ladder.ts";

/** Keys a horizon owns; everything else is shared by all horizons. */
export const HORIZON_KEYS = [
  "NORMALIZATION_MAX_SCALE",
  "TEAM_QUALITY_SCORING",
  "PERFORMANCE_SCORING",
  "MATCHUP_SCORING",
  "SCHEDULE_SCORING",
  "TEMPERATURE_SCORING",
  "WIND_SCORING",
  "LOCATION_MODIFIERS",
] as const;

/** A horizon's parameters as its file has them. */
export type HorizonParameters = Readonly<Record<string, unknown>>;

/** The parameters ready for scoring. */
export interface Configuration {
  readonly normalizationMaxScale: number;
  readonly teamQuality: { readonly ladder: Ladder; readonly minWeeks: number };
  readonly performance: { readonly ladder: Ladder; readonly minWeeks: number };
  readonly matchup: { readonly ladder: Ladder; readonly minWeeks: number; readonly impactScale: number };
  readonly temperature: { readonly ladder: Ladder; readonly impactScale: number; readonly ideal: number };
  readonly wind: { readonly ladder: Ladder; readonly impactScale: number };
  readonly location: { readonly home: number; readonly away: number; readonly international: number };
}

const finite = z.number("must be a finite number");
const section = z.looseObject({
  THRESHOLDS: z.looseObject({
    BASE_POSITION: finite,
    DIRECTION: z.enum(DIRECTIONS, `must be one of ${DIRECTIONS.join(", ")}`),
    STEPS: finite.gt(0, "must be greater than 0"),
  }),
  MULTIPLIERS: z.looseObject({ EXCELLENT: finite, GOOD: finite, POOR: finite, VERY_POOR: finite }),
  WEIGHT: finite,
  SCALING: z.enum(["LINEAR", "BUCKETED"], "must be LINEAR, or absent for steps").optional(),
  MISSING_VALUE_TIER: z.undefined("is not supported: a missing value has no effect").optional(),
});
const minWeeks = z.int("must be a whole number").min(1, "must be at least 1").default(5);
const windowed = section.extend({ MIN_WEEKS: minWeeks });
const impact = finite;

const Parameters = z.looseObject({
  NORMALIZATION_MAX_SCALE: finite,
  TEAM_QUALITY_SCORING: windowed,
  PERFORMANCE_SCORING: windowed,
  MATCHUP_SCORING: windowed.extend({ IMPACT_SCALE: impact }),
  SCHEDULE_SCORING: z.looseObject({ IMPACT_SCALE: impact }).optional(),
  TEMPERATURE_SCORING: section
    .extend({ IMPACT_SCALE: impact.default(50), IDEAL_TEMPERATURE: finite.default(60) })
    .optional(),
  WIND_SCORING: section.extend({ IMPACT_SCALE: impact.default(60) }).optional(),
  LOCATION_MODIFIERS: z
    .looseObject({ HOME: finite.default(0), AWAY: finite.default(0), INTERNATIONAL: finite.default(0) })
    .optional(),
});

/** Every name the model reads inside a section of a horizon's parameters. */
export const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  ...Object.values(Parameters.shape).flatMap((part) => Object.keys(sectionShape(part))),
  ...Object.keys(section.shape.THRESHOLDS.shape),
  ...Object.keys(section.shape.MULTIPLIERS.shape),
]);

function sectionShape(part: z.ZodType): object {
  const inner = part instanceof z.ZodOptional ? part.unwrap() : part;
  return inner instanceof z.ZodObject ? inner.shape : {};
}

/** Without a weather section, weather has no effect. */
const NO_EFFECT: z.infer<typeof section> = {
  THRESHOLDS: { BASE_POSITION: 0, DIRECTION: "DECREASING", STEPS: 10 },
  MULTIPLIERS: { EXCELLENT: 1.05, GOOD: 1.025, POOR: 0.975, VERY_POOR: 0.95 },
  WEIGHT: 0,
};

/** Checks a horizon's parameters; `where` names the file (or other source) in messages. */
export function readConfiguration(parameters: unknown, where: string): Configuration {
  const parsed = Parameters.safeParse(parameters);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const path = issue?.path.join(".") ?? "";
    const missing = issue?.code !== "custom" && valueAt(parameters, issue?.path ?? []) === undefined;
    const own = missing ? "is missing" : issue?.message.startsWith("Invalid input") ? undefined : issue?.message;
    throw new UsageError(`${where}: ${own === undefined ? wrongField(parsed.error.issues) : `${path} ${own}`}`);
  }
  const p = parsed.data;
  const temperature = p.TEMPERATURE_SCORING ?? { ...NO_EFFECT, IMPACT_SCALE: 50, IDEAL_TEMPERATURE: 60 };
  const wind = p.WIND_SCORING ?? { ...NO_EFFECT, IMPACT_SCALE: 60 };
  return {
    normalizationMaxScale: p.NORMALIZATION_MAX_SCALE,
    teamQuality: { ladder: ladderOf(p.TEAM_QUALITY_SCORING, false), minWeeks: p.TEAM_QUALITY_SCORING.MIN_WEEKS },
    performance: { ladder: ladderOf(p.PERFORMANCE_SCORING, true), minWeeks: p.PERFORMANCE_SCORING.MIN_WEEKS },
    matchup: {
      ladder: ladderOf(p.MATCHUP_SCORING, true),
      minWeeks: p.MATCHUP_SCORING.MIN_WEEKS,
      impactScale: p.MATCHUP_SCORING.IMPACT_SCALE,
    },
    temperature: {
      ladder: ladderOf(temperature, false),
      impactScale: temperature.IMPACT_SCALE,
      ideal: temperature.IDEAL_TEMPERATURE,
    },
    wind: { ladder: ladderOf(wind, false), impactScale: wind.IMPACT_SCALE },
    location: {
      home: p.LOCATION_MODIFIERS?.HOME ?? 0,
      away: p.LOCATION_MODIFIERS?.AWAY ?? 0,
      international: p.LOCATION_MODIFIERS?.INTERNATIONAL ?? 0,
    },
  };
}

function ladderOf(s: z.infer<typeof section>, rising: boolean): Ladder {
  const { EXCELLENT, GOOD, POOR, VERY_POOR } = s.MULTIPLIERS;
  return ladder(
    {
      basePosition: s.THRESHOLDS.BASE_POSITION,
      direction: s.THRESHOLDS.DIRECTION,
      steps: s.THRESHOLDS.STEPS,
      multipliers: [EXCELLENT, GOOD, POOR, VERY_POOR],
      weight: s.WEIGHT,
      linear: s.SCALING === "LINEAR",
    },
    rising,
  );
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
}
