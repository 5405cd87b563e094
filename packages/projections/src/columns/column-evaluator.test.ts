import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { soak } from "@coppice/engine/soak";
import fc from "fast-check";
import { randomParameters } from "../../test/random-parameters.ts";
import { differences, golden, goldenConfigurations, realSeasons, skip } from "../../test/reference-numbers.ts";
import { evaluateByPlayer } from "../../test/twin/by-player.ts";
import { readConfiguration } from "../config/configuration.ts";
import { STARTING_PARAMETERS } from "../config/starting-point.ts";
import { HORIZONS } from "../horizon.ts";
import { POSITIONS, type Season } from "../seasons/season.ts";
import { generateSeasons } from "../synthetic/generate.ts";
import { buildColumns } from "./build.ts";
import { ColumnEvaluator } from "./column-evaluator.ts";
import { openColumns, shareColumns } from "./shared-columns.ts";

/** A season with a missing snapshot, free agents and a team nobody plays against. */
function oddSeason(): Season {
  const season = generateSeasons(5, ["2201"])[0] ?? assert.fail();
  return {
    ...season,
    snapshots: season.snapshots.map((snapshot, week) => (week === 8 ? undefined : snapshot?.slice(week))),
    players: season.players.map((p, i) => (i % 40 === 0 ? { ...p, team: "FA" } : p)),
    teamWeeks: new Map([...season.teamWeeks].slice(1)),
  };
}

describe("the column kernel", () => {
  it("equals the per-player evaluation bit for bit, whatever the configuration", () => {
    const seasons = [...generateSeasons(3, ["2101"]), oddSeason()];
    const evaluator = new ColumnEvaluator(buildColumns(seasons));
    fc.assert(
      fc.property(randomParameters, fc.constantFrom(...HORIZONS), (parameters, horizon) => {
        const config = readConfiguration(parameters, "random");
        assert.deepEqual(evaluator.evaluate(horizon, config, "all"), evaluateByPlayer(seasons, horizon, config, "all"));
      }),
      { numRuns: soak(25, 600), seed: 4 },
    );
  });

  it("gives the same error with and without ranking metrics", () => {
    const evaluator = new ColumnEvaluator(buildColumns(generateSeasons(3, ["2101"])));
    fc.assert(
      fc.property(randomParameters, fc.constantFrom(...HORIZONS), (parameters, horizon) => {
        const config = readConfiguration(parameters, "random");
        const { mae, player_count, total_error } = evaluator.evaluate(horizon, config, "mae").aggregate;
        const all = evaluator.evaluate(horizon, config, "all").aggregate;
        assert.deepEqual([mae, player_count, total_error], [all.mae, all.player_count, all.total_error]);
      }),
      { numRuns: soak(25, 500), seed: 5 },
    );
  });

  it("works the same from a shared buffer", () => {
    const columns = buildColumns(generateSeasons(3, ["2101"]));
    assert.deepEqual(openColumns(shareColumns(columns)), columns);
  });

  it("ranks equal projections of the rest of the season in the order of the snapshot the actuals come from", () => {
    const season = generateSeasons(3, ["2101"])[0] ?? assert.fail();
    const players = season.players.map((player) => ({ ...player, preseason: player.actual.map(() => 1) }));
    const still = { WEIGHT: 0 };
    const config = readConfiguration(
      {
        ...STARTING_PARAMETERS,
        TEMPERATURE_SCORING: { ...(STARTING_PARAMETERS.TEMPERATURE_SCORING as object), ...still },
        WIND_SCORING: { ...(STARTING_PARAMETERS.WIND_SCORING as object), ...still },
        LOCATION_MODIFIERS: { HOME: 0, AWAY: 0, INTERNATIONAL: 0 },
      },
      "all equal",
    );
    const ros = HORIZONS.find((horizon) => horizon.weeks === undefined) ?? assert.fail();
    const topTen = (snapshots: Season["snapshots"]) => {
      const of = { ...season, players, snapshots };
      const accuracy = new ColumnEvaluator(buildColumns([of])).evaluate(ros, config, "all");
      assert.deepEqual(accuracy, evaluateByPlayer([of], ros, config, "all"));
      return accuracy.aggregate.by_position?.WR?.top_10_accuracy;
    };
    const place = (idx: number) => POSITIONS.indexOf(season.players[idx]?.position ?? "QB");
    const turned = (snapshot: readonly number[] | undefined) =>
      snapshot?.toReversed().sort((a, b) => place(a) - place(b));
    const reversed = (week: number) => season.snapshots.map((s, w) => (w === week ? turned(s) : s));
    const last = season.snapshots.findLastIndex((snapshot) => snapshot !== undefined);
    assert.equal(topTen(reversed(1)), topTen(season.snapshots));
    assert.notEqual(topTen(reversed(last)), topTen(season.snapshots));
  });

  it("counts a missing snapshot as a week not evaluated", () => {
    const evaluator = new ColumnEvaluator(buildColumns([oddSeason()]));
    const config = readConfiguration(fc.sample(randomParameters, { numRuns: 1, seed: 1 })[0], "random");
    const weeks = HORIZONS.map((h) => evaluator.evaluate(h, config, "mae").aggregate.weeks_evaluated);
    // Snapshot 8 is both week 8's projections and week 7's actuals.
    assert.deepEqual(weeks, [1, 5, 2, 4, 4]);
  });

  it("has nothing to say of a horizon without players", () => {
    const season = generateSeasons(3, ["2101"])[0] ?? assert.fail();
    const empty = { ...season, players: season.players.map((p) => ({ ...p, actual: p.actual.map(() => 0) })) };
    const config = readConfiguration(fc.sample(randomParameters, { numRuns: 1, seed: 1 })[0], "random");
    const { aggregate } = new ColumnEvaluator(buildColumns([empty])).evaluate(
      HORIZONS[1] ?? assert.fail(),
      config,
      "all",
    );
    assert.deepEqual([aggregate.mae, aggregate.player_count, aggregate.total_error], [0, 0, 0]);
    assert.equal(aggregate.overall?.pairwise_accuracy, null);
    assert.deepEqual(aggregate.by_position, {});
  });
});

/** Current projections of all weekly rows, by season, week and player id. */
function projectionsByPlayer({ columns, projected }: ColumnEvaluator, seasons: readonly Season[]): Map<string, number> {
  const found = new Map<string, number>();
  columns.header.views.forEach(({ season, week, horizon }, view) => {
    if (HORIZONS[horizon]?.weeks === undefined) return;
    for (let row = columns.groupRows[view * 6]; row < columns.groupRows[(view + 1) * 6]; row++) {
      const of = seasons[season] ?? assert.fail();
      found.set(`${of.name} ${week} ${of.players[columns.player[row]]?.id}`, projected[row]);
    }
  });
  return found;
}

describe("the column kernel on real seasons", { skip }, () => {
  it("gives every published number and equals the per-player evaluation bit for bit", () => {
    const { seasons } = realSeasons();
    const evaluator = new ColumnEvaluator(buildColumns(seasons));
    for (const name of goldenConfigurations) {
      const reference = golden(name);
      const config = readConfiguration(reference.parameters, name);
      const horizons = Object.fromEntries(HORIZONS.map((h) => [h.key, evaluator.evaluate(h, config, "all")]));
      assert.deepEqual(differences(horizons, reference.horizons, name), []);
      const projections = projectionsByPlayer(evaluator, seasons);
      const sampled = reference.sample.map(([season, week, id, , actual]) => {
        return [season, week, id, projections.get(`${season} ${week} ${id}`), actual];
      });
      assert.deepEqual(differences(sampled, reference.sample, name), []);
      const ros = HORIZONS[0] ?? assert.fail();
      assert.deepEqual(horizons.ros, evaluateByPlayer(seasons, ros, config, "all"));
    }
  });
});
