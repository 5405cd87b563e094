import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readConfiguration } from "./configuration.ts";
import { ladder, multiplierAt } from "./ladder.ts";
import { STARTING_PARAMETERS } from "./starting-point.ts";

/** The starting point with one field replaced; undefined removes it. */
function changed(path: string, value: unknown): unknown {
  const parameters = structuredClone(STARTING_PARAMETERS) as Record<string, unknown>;
  const steps = path.split(".");
  const owner = steps.slice(0, -1).reduce((at, step) => at[step] as Record<string, unknown>, parameters);
  const last = steps.at(-1) ?? "";
  if (value === undefined) delete owner[last];
  else owner[last] = value;
  return parameters;
}

function refusal(path: string, value: unknown): string {
  try {
    readConfiguration(changed(path, value), "week1-5.json");
  } catch (error) {
    return (error as Error).message;
  }
  return "accepted";
}

describe("a configuration", () => {
  it("is refused with the place and what would be right", () => {
    assert.equal(
      refusal("MATCHUP_SCORING.IMPACT_SCALE", undefined),
      "week1-5.json: MATCHUP_SCORING.IMPACT_SCALE is missing",
    );
    for (const steps of [0, -0.1]) {
      assert.equal(
        refusal("PERFORMANCE_SCORING.THRESHOLDS.STEPS", steps),
        "week1-5.json: PERFORMANCE_SCORING.THRESHOLDS.STEPS must be greater than 0",
      );
    }
    assert.equal(
      refusal("WIND_SCORING.THRESHOLDS.DIRECTION", "SIDEWAYS"),
      "week1-5.json: WIND_SCORING.THRESHOLDS.DIRECTION must be one of INCREASING, DECREASING, BI_EXCELLENT_HI, BI_EXCELLENT_LOW",
    );
    assert.equal(
      refusal("NORMALIZATION_MAX_SCALE", Number.NaN),
      "week1-5.json: NORMALIZATION_MAX_SCALE must be a finite number",
    );
    assert.equal(
      refusal("TEAM_QUALITY_SCORING.WEIGHT", "heavy"),
      "week1-5.json: TEAM_QUALITY_SCORING.WEIGHT must be a finite number",
    );
    assert.equal(
      refusal("TEAM_QUALITY_SCORING.MIN_WEEKS", 0),
      "week1-5.json: TEAM_QUALITY_SCORING.MIN_WEEKS must be at least 1",
    );
    assert.equal(
      refusal("WIND_SCORING.THRESHOLDS", 7),
      "week1-5.json: WIND_SCORING.THRESHOLDS: it must be an object { … }, not a number",
    );
    assert.equal(refusal("SCHEDULE_SCORING", {}), "week1-5.json: SCHEDULE_SCORING.IMPACT_SCALE is missing");
  });

  it("has defaults for what may be missing", () => {
    const config = readConfiguration(changed("TEMPERATURE_SCORING", undefined), "x");
    assert.equal(config.temperature.impactScale, 50);
    assert.equal(multiplierAt(config.temperature.ladder, 1000), 1);
    const away = readConfiguration(changed("LOCATION_MODIFIERS.AWAY", undefined), "x");
    assert.equal(away.location.away, 0);
    assert.equal(readConfiguration(changed("MATCHUP_SCORING.MIN_WEEKS", undefined), "x").matchup.minWeeks, 5);
  });
});

describe("thresholds", () => {
  const shape = {
    basePosition: 0,
    steps: 6,
    weight: 2,
    linear: false,
    multipliers: [1.05, 1.025, 0.975, 0.95],
  } as const;
  const tiers = (rising: boolean, direction: "INCREASING" | "DECREASING", values: readonly number[]) =>
    values.map((value) => multiplierAt(ladder({ ...shape, direction }, rising), value));

  it("step at inclusive boundaries and weigh by exponent", () => {
    assert.deepEqual(tiers(true, "INCREASING", [24, 23, 18, 17, 13, 12, 7, 6]), [
      1.05 ** 2,
      1.025 ** 2,
      1.025 ** 2,
      1,
      1,
      0.975 ** 2,
      0.975 ** 2,
      0.95 ** 2,
    ]);
    assert.deepEqual(tiers(false, "DECREASING", [6, 7, 12, 13, 17, 18, 23, 24]), [
      1.05 ** 2,
      1.025 ** 2,
      1.025 ** 2,
      1,
      1,
      0.975 ** 2,
      0.975 ** 2,
      0.95 ** 2,
    ]);
  });

  it("interpolate between anchors when linear, and are constant outside", () => {
    const line = ladder({ ...shape, direction: "INCREASING", linear: true, weight: 1 }, true);
    assert.deepEqual(
      [0, 6, 9, 12, 15, 18, 24, 30].map((value) => multiplierAt(line, value)),
      [0.95, 0.95, 0.95 + (0.025 * 3) / 6, 0.975, 0.975 + ((1.025 - 0.975) * 3) / 6, 1.025, 1.05, 1.05],
    );
  });

  it("follow their direction around the base", () => {
    const at = (direction: "BI_EXCELLENT_HI" | "BI_EXCELLENT_LOW") =>
      ladder({ ...shape, basePosition: 16, steps: 2, direction }, true).thresholds;
    assert.deepEqual(at("BI_EXCELLENT_HI"), [20, 18, 14, 12]);
    assert.deepEqual(at("BI_EXCELLENT_LOW"), [12, 14, 18, 20]);
  });
});
