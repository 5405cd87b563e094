import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { soak } from "@coppice/engine/soak";
import { readConfiguration } from "../../src/config/configuration.ts";
import { HORIZONS } from "../../src/horizon.ts";
import { differences, golden, goldenConfigurations, goldenTrace, realSeasons, skip } from "../reference-numbers.ts";
import { evaluateByPlayer } from "./by-player.ts";
import { project, weekView } from "./project.ts";

describe("the per-player evaluation on real seasons", { skip }, () => {
  // The column kernel is compared with all of them, and with this evaluation on random ones.
  for (const name of goldenConfigurations.slice(0, soak(3, goldenConfigurations.length))) {
    it(`gives every published number of ${name}`, () => {
      const { seasons } = realSeasons();
      const reference = golden(name);
      const config = readConfiguration(reference.parameters, name);
      const horizons = Object.fromEntries(
        HORIZONS.filter((h) => h.weeks !== undefined).map((h) => [h.key, evaluateByPlayer(seasons, h, config, "all")]),
      );
      assert.deepEqual(differences(horizons, reference.horizons), []);
      assert.equal(reference.sample.length > 1000, true);
      const sampled = reference.sample.map(([season, week, id]) => {
        const data = seasons.find((s) => s.name === season) ?? assert.fail(`season ${season}`);
        const player = data.players.find((p) => p.id === id) ?? assert.fail(`player ${id}`);
        const projected = project(weekView(data, week, config), player, config).projected;
        return [season, week, id, projected, player.actual[week - 1]];
      });
      assert.deepEqual(differences(sampled, reference.sample), []);
    });
  }

  it("takes every step of the published trace", () => {
    const { parameters, traces } = goldenTrace();
    const config = readConfiguration(parameters, "trace");
    for (const trace of traces) {
      const season = realSeasons().seasons.find((s) => s.name === trace.season) ?? assert.fail(trace.season);
      const view = weekView(season, trace.week, config);
      const { ranks } = view;
      const place = `${trace.season} week ${trace.week}`;
      assert.equal(view.max, trace.max_weekly_projection);
      assert.deepEqual(Object.fromEntries(ranks.offensive), trace.ranks.offensive, place);
      assert.deepEqual(Object.fromEntries(ranks.defensive), trace.ranks.defensive, place);
      assert.deepEqual(Object.fromEntries(ranks.dstFantasy), trace.ranks.dst_fantasy, place);
      for (const [team, [QB, RB, WR, TE, K]] of ranks.position) {
        assert.deepEqual({ QB, RB, WR, TE, K }, trace.ranks.position[team], place);
      }
      const rows = trace.rows.map(([id]) => {
        const player = season.players.find((p) => p.id === id) ?? assert.fail(`player ${id}`);
        const p = project(view, player, config);
        return [
          player.id,
          player.name,
          player.position,
          player.team,
          p.raw,
          p.normalised,
          p.teamQualityRank ?? null,
          p.afterTeamQuality,
          p.performanceDeviation ?? null,
          p.afterPerformance,
          p.matchupRank ?? null,
          p.afterMatchup,
          p.afterTemperature,
          p.afterWind,
          p.score,
          p.projected,
          player.actual[trace.week - 1],
        ];
      });
      assert.deepEqual(differences(rows, trace.rows, place), []);
    }
  });
});
