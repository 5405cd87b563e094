import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { evaluateByPlayer } from "../../test/twin/by-player.ts";
import { buildColumns } from "../columns/build.ts";
import { ColumnEvaluator } from "../columns/column-evaluator.ts";
import { readConfiguration } from "../config/configuration.ts";
import { STARTING_PARAMETERS } from "../config/starting-point.ts";
import { HORIZONS } from "../horizon.ts";
import { generateSeasons } from "../synthetic/generate.ts";
import { lowCoverageWeeks, withoutLowCoverage } from "./coverage.ts";
import type { Season } from "./season.ts";

const whole = generateSeasons(3, ["2101"])[0] ?? assert.fail();

/** The season with no projections in a week for all but every n-th player whose team plays. */
function sparse(week: number, every: number): Season {
  let count = 0;
  return {
    ...whole,
    players: whole.players.map((player) => {
      const plays = whole.opponents.get(player.team)?.[week - 1] !== undefined;
      const kept = plays && count++ % every === 0;
      return { ...player, projected: player.projected.with(week - 1, kept ? 5 : 0) };
    }),
  };
}

describe("weeks with few projections", () => {
  it("are those in which less than half of the players whose team plays have one", () => {
    assert.deepEqual(lowCoverageWeeks(whole), []);
    assert.deepEqual(
      lowCoverageWeeks(sparse(7, 3)).map(({ week }) => week),
      [7],
    );
    const half = lowCoverageWeeks(sparse(7, 2));
    assert.deepEqual(half, [], "just half is enough, and who is on a bye does not count");
  });

  it("can be left out: their own horizon has a week less, nothing else changes", () => {
    const season = sparse(7, 3);
    const { seasons, notices } = withoutLowCoverage([season]);
    assert.equal(notices.length, 1);
    assert.match(notices[0] ?? "", /^season 2101, week 7 is left out: only 33\.\d % of its players were projected$/);
    const config = readConfiguration(STARTING_PARAMETERS, "start");
    const [before, after] = [[season], seasons].map((list) => new ColumnEvaluator(buildColumns(list)));
    for (const horizon of HORIZONS) {
      const all = before.evaluate(horizon, config, "all");
      const some = after.evaluate(horizon, config, "all");
      assert.deepEqual(some, evaluateByPlayer(seasons, horizon, config, "all"));
      if (horizon.name === "6-9") {
        assert.equal(some.aggregate.weeks_evaluated, all.aggregate.weeks_evaluated - 1);
        assert.ok(some.aggregate.player_count < all.aggregate.player_count);
      } else assert.deepEqual(some, all);
    }
  });
});
