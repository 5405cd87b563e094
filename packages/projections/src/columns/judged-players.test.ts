import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HORIZONS } from "../horizon.ts";
import type { Season } from "../seasons/season.ts";
import { generateSeasons } from "../synthetic/generate.ts";
import { buildColumns } from "./build.ts";
import { checkJudged } from "./judged-players.ts";

const [whole, other] = generateSeasons(3, ["2101", "2102"]);
const weekly = HORIZONS.filter(({ weeks }) => weeks !== undefined);

/** The season in which nobody scored from one week to another, or only players of other positions did. */
function silent(season: Season, [first, last]: readonly [number, number], position?: string): Season {
  const players = season.players.map((player) =>
    position === undefined || player.position === position
      ? { ...player, actual: player.actual.map((points, w) => (w + 1 >= first && w + 1 <= last ? 0 : points)) }
      : player,
  );
  return { ...season, players };
}

describe("who is judged", () => {
  const said = (seasons: readonly Season[]) => checkJudged(buildColumns(seasons), weekly);

  it("has nothing to say when somebody is everywhere", () => assert.deepEqual(said([whole, other]), []));

  it("names the season and the position in which nobody is", () => {
    assert.deepEqual(said([silent(whole, [6, 9]), other]), [
      "nobody is judged on 6-9 in 2101: the season does not count there",
    ]);
    assert.deepEqual(said([silent(whole, [6, 9], "K")]), ["nobody is judged on 6-9 as K"]);
  });

  it("refuses a horizon on which nobody is", () => {
    assert.throws(() => said([silent(whole, [6, 9])]), /^UsageError: nobody is judged on 6-9 in 2101: no player has/);
  });
});
