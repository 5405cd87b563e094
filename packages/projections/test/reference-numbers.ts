import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSeasons } from "../src/seasons/load.ts";
import type { SeasonSet } from "../src/seasons/season.ts";

const shared = join(dirname(fileURLToPath(import.meta.url)), "../../../../shared");

/** Real seasons and published reference numbers; they are not part of the project, so tests without them are skipped. */
export const dataFolder = join(shared, "data/projections");
const goldenFolder = join(shared, "golden/projections");

export const skip =
  existsSync(dataFolder) && existsSync(goldenFolder) ? false : "real seasons are not installed beside the project";

/** The most different ones first. */
export const goldenConfigurations = [
  "base_1_5",
  "v03_tq_minweeks_3_w4",
  "v05_perf_steps_005_w8",
  "v06_matchup_200_w3",
  "base_6_9",
  "base_10_13",
  "base_14_17",
  "v01_norm_80",
  "v02_tq_weight_0",
  "v04_perf_w4_min3",
] as const;

export interface Golden {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly horizons: Readonly<Record<string, unknown>>;
  readonly sample: readonly (readonly [season: string, week: number, id: number, projected: number, actual: number])[];
}

export function golden(name: string): Golden {
  return JSON.parse(readFileSync(join(goldenFolder, `head-${name}.json`), "utf8")) as Golden;
}

/** Every number of `expected` that `actual` lacks or misses by more than 1e-9, as readable lines. */
export function differences(actual: unknown, expected: unknown, path = ""): readonly string[] {
  if (typeof expected === "number") {
    const close = typeof actual === "number" && Math.abs(actual - expected) <= 1e-9;
    return close ? [] : [`${path}: ${String(actual)} instead of ${expected}`];
  }
  if (typeof expected !== "object" || expected === null) {
    return Object.is(actual, expected) ? [] : [`${path}: ${String(actual)} instead of ${String(expected)}`];
  }
  if (typeof actual !== "object" || actual === null) return [`${path}: missing`];
  return Object.entries(expected).flatMap(([key, value]) =>
    differences((actual as Record<string, unknown>)[key], value, `${path}.${key}`),
  );
}

interface Trace {
  readonly season: string;
  readonly week: number;
  readonly max_weekly_projection: number;
  readonly ranks: Readonly<Record<"offensive" | "defensive" | "dst_fantasy", Readonly<Record<string, number>>>> & {
    readonly position: Readonly<Record<string, Readonly<Record<string, number>>>>;
  };
  readonly rows: readonly (readonly unknown[])[];
}

/** The step-by-step trace; its file does not say its parameters, they were worked out from its steps. */
export function goldenTrace(): { readonly parameters: unknown; readonly traces: readonly Trace[] } {
  const file = join(goldenFolder, "head-trace-v12_mixed.json");
  const { traces } = JSON.parse(readFileSync(file, "utf8")) as { traces: readonly Trace[] };
  return { traces, parameters: mixedParameters };
}

/** Every section with a weight and window of its own. */
export const mixedParameters = {
  NORMALIZATION_MAX_SCALE: 137,
  TEAM_QUALITY_SCORING: { MIN_WEEKS: 4, ...section("DECREASING", 6, 1.37) },
  PERFORMANCE_SCORING: { MIN_WEEKS: 2, ...section("BI_EXCELLENT_HI", 0.18, 2.25) },
  MATCHUP_SCORING: { MIN_WEEKS: 5, IMPACT_SCALE: 88, ...section("INCREASING", 6, 2.16) },
  TEMPERATURE_SCORING: { IDEAL_TEMPERATURE: 60, IMPACT_SCALE: 61, ...section("DECREASING", 10, 1.3) },
  WIND_SCORING: { IMPACT_SCALE: 45, ...section("DECREASING", 8, 2.58) },
  LOCATION_MODIFIERS: { HOME: 1.6, AWAY: -0.9, INTERNATIONAL: -4.2 },
};

function section(direction: string, steps: number, weight: number): Record<string, unknown> {
  return {
    THRESHOLDS: { BASE_POSITION: 0, DIRECTION: direction, STEPS: steps },
    MULTIPLIERS: { EXCELLENT: 1.05, GOOD: 1.025, POOR: 0.975, VERY_POOR: 0.95 },
    WEIGHT: weight,
  };
}

let loaded: SeasonSet | undefined;

export function realSeasons(): SeasonSet {
  loaded ??= loadSeasons(dataFolder);
  return loaded;
}
