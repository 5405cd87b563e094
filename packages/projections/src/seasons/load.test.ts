import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { random } from "@coppice/engine";
import { withFolder } from "../../test/scratch.ts";
import { writeWeeklyTree } from "../../test/weekly-tree.ts";
import { buildColumns } from "../columns/build.ts";
import { ColumnEvaluator } from "../columns/column-evaluator.ts";
import { readConfiguration } from "../config/configuration.ts";
import { STARTING_PARAMETERS } from "../config/starting-point.ts";
import { HORIZONS } from "../horizon.ts";
import { generateSeasons } from "../synthetic/generate.ts";
import { loadSeasons } from "./load.ts";
import { byId, byPositionFile, type Season } from "./season.ts";
import { writeSeasonFiles } from "./write-season-files.ts";

const seasons = generateSeasons(11, ["2101", "2102"]);

/** Rewrites one file of the CSV layout and loads the folder. */
function loadChanged(file: string, change: (text: string) => string): () => unknown {
  return () =>
    withFolder((folder) => {
      writeSeasonFiles(folder, seasons);
      writeFileSync(join(folder, file), change(readFileSync(join(folder, file), "utf8")));
      return loadSeasons(folder);
    });
}

/** Replaces a field of a line (1 is the header). */
function setField(line: number, field: number, value: string): (text: string) => string {
  return (text) =>
    text
      .split("\n")
      .map((row, i) => (i === line - 1 ? row.split(",").with(field, value).join(",") : row))
      .join("\n");
}

/** A season with its players by id, and in its snapshots the ids by position and id. */
function sorted({ players, snapshots, ...season }: Season): unknown {
  const known = snapshots.map(
    (snapshot) => snapshot && byPositionFile(byId(snapshot, players), players).map((idx) => players[idx].id),
  );
  return { ...season, players: byId(players.keys(), players).map((idx) => players[idx]), snapshots: known };
}

/** A text's lines after the first in another order; `idx` counts from 0 in each season again. */
function shuffled(text: string, seed: number): string {
  const [head, ...rows] = text.trimEnd().split("\n");
  const counts = new Map<string, number>();
  const numbered = random(seed)
    .shuffle(rows)
    .map((row) => {
      const fields = row.split(",");
      const idx = counts.get(fields[0]) ?? 0;
      counts.set(fields[0], idx + 1);
      return fields.with(1, String(idx)).join(",");
    });
  return [head, ...numbered, ""].join("\n");
}

describe("loading seasons", () => {
  it("gives back what was written as CSV files", () => {
    withFolder((folder) => {
      writeSeasonFiles(folder, seasons);
      const set = loadSeasons(folder);
      assert.deepEqual(set.seasons, seasons);
      assert.deepEqual(set.warnings, []);
    });
  });

  it("reads the same seasons from a weekly tree", () => {
    withFolder((folder) => {
      writeWeeklyTree(folder, seasons);
      const set = loadSeasons(folder);
      // Not deepEqual: to show how two seasons differ takes all the memory there is.
      assert.ok(isDeepStrictEqual(set.seasons.map(sorted), seasons.map(sorted)));
      assert.deepEqual(set.warnings, []);
    });
  });

  it("ranks equal players the same in whatever order they are listed: the lower id first", () => {
    // Projections of whole tens: many are equal.
    const tied = generateSeasons(11, ["2101"]).map((season) => ({
      ...season,
      players: season.players.map((player) => ({
        ...player,
        projected: player.projected.map((points) => 10 * Math.round(points / 10)),
        preseason: player.preseason?.map((points) => 10 * Math.round(points / 10)),
      })),
    }));
    const accuracy = (write: (folder: string) => void) =>
      withFolder((folder) => {
        write(folder);
        const evaluator = new ColumnEvaluator(buildColumns(loadSeasons(folder).seasons));
        const config = readConfiguration(STARTING_PARAMETERS, "start");
        return JSON.stringify(HORIZONS.map((horizon) => evaluator.evaluate(horizon, config, "all").aggregate));
      });
    const asFiles = (seed?: number) =>
      accuracy((folder) => {
        writeSeasonFiles(folder, tied);
        rmSync(join(folder, "load_order.json"));
        if (seed === undefined) return;
        const before = readFileSync(join(folder, "players.csv"), "utf8");
        const after = shuffled(before, seed);
        writeFileSync(join(folder, "players.csv"), after);
        // The preseason table follows its players by their number.
        const ids = (text: string) =>
          text
            .trimEnd()
            .split("\n")
            .slice(1)
            .map((row) => row.split(",")[2]);
        const [was, is] = [ids(before), ids(after)];
        const file = join(folder, "preseason_projection.csv");
        const [head, ...rows] = readFileSync(file, "utf8").trimEnd().split("\n");
        const moved = rows.map((row) => {
          const fields = row.split(",");
          return fields.with(1, String(is.indexOf(was[Number(fields[1])]))).join(",");
        });
        writeFileSync(file, [head, ...moved, ""].join("\n"));
      });
    const asTree = (seed?: number) =>
      accuracy((folder) => {
        const order = (snapshot: readonly number[] | undefined) =>
          seed === undefined || snapshot === undefined ? snapshot : random(seed).shuffle(snapshot);
        writeWeeklyTree(
          folder,
          tied.map((season) => ({ ...season, snapshots: season.snapshots.map(order) })),
        );
      });
    assert.equal(asFiles(1), asFiles());
    assert.equal(asTree(2), asTree());
  });

  it("refuses the older layout, in which a week has players.csv, with the files that it needs", () => {
    withFolder((folder) => {
      const week = join(folder, "2101/weeks/week_01");
      mkdirSync(week, { recursive: true });
      writeFileSync(join(week, "players.csv"), "id,name\n");
      assert.throws(
        () => loadSeasons(folder),
        /week_01 has players\.csv: it needs qb_data\.json, rb_data\.json, … dst_data\.json$/,
      );
    });
  });

  it("notices any change of the data by its digest", () => {
    withFolder((folder) => {
      writeSeasonFiles(folder, seasons);
      const before = loadSeasons(folder).digest;
      assert.equal(loadSeasons(folder).digest, before);
      const file = join(folder, "games.csv");
      writeFileSync(file, readFileSync(file, "utf8").replace("False", "True"));
      assert.notEqual(loadSeasons(folder).digest, before);
    });
  });

  it("is seeded: the same seed writes the same seasons, another seed others", () => {
    assert.deepEqual(generateSeasons(11, ["2101", "2102"]), seasons);
    assert.notDeepEqual(generateSeasons(12, ["2101", "2102"])[0], seasons[0]);
  });

  it("refuses players without id, with the line", () => {
    assert.throws(loadChanged("players.csv", setField(3, 2, "")), /players\.csv line 3: the player has no id$/);
  });

  it("refuses projections shorter than 17 weeks, with the missing column", () => {
    const cut = (text: string) => text.replace(",p17,", ",x17,");
    assert.throws(loadChanged("players.csv", cut), /players\.csv has no column p17; it needs season,idx,id/);
    const short = (text: string) => text.replace(/,[^,\n]*\n(?=2101,1,)/, "\n");
    assert.throws(loadChanged("players.csv", short), /players\.csv line 2: 39 fields where the header has 40$/);
  });

  it("refuses NaN and other things that are no number", () => {
    assert.throws(loadChanged("players.csv", setField(5, 8, "NaN")), /line 5: p3 is "NaN", not a finite number$/);
    assert.throws(
      loadChanged("team_weeks.csv", setField(9, 8, "many")),
      /line 9: points_scored is "many", not a finite/,
    );
  });

  it("refuses an unknown position, a strange week and an id given twice", () => {
    assert.throws(
      loadChanged("players.csv", setField(2, 4, "XX")),
      /position is "XX", not one of QB, RB, WR, TE, K, DST/,
    );
    assert.throws(
      loadChanged("team_weeks.csv", setField(2, 2, "18")),
      /week is "18"; it must be a whole number from 1 to 17/,
    );
    const id = String(seasons[0]?.players[0]?.id);
    assert.throws(
      loadChanged("players.csv", setField(3, 2, id)),
      new RegExp(`line 3: id ${id} appears twice in season 2101`),
    );
  });

  it("refuses a season with players but without weeks", () => {
    const drop = (text: string) => text.replaceAll(/^2102,.*\n/gm, "");
    assert.throws(loadChanged("team_weeks.csv", drop), /season 2102 has players but no weeks: .*team_weeks\.csv/);
  });

  it("refuses a load order that names nobody", () => {
    const text = JSON.stringify({ "2101": { "1": [99999] }, "2102": {} });
    assert.throws(
      loadChanged("load_order.json", () => text),
      /load_order\.json 2101\.1 lists player 99999 of 736/,
    );
    assert.throws(
      loadChanged("load_order.json", () => "[]"),
      /load_order\.json: .*the file is \{season: \{week: \[idx, …\]\}\}/,
    );
  });

  it("names the file that is missing", () => {
    withFolder((folder) => {
      writeSeasonFiles(folder, seasons);
      rmSync(join(folder, "schedule.csv"));
      assert.throws(() => loadSeasons(folder), /has no schedule\.csv$/);
      assert.throws(() => loadSeasons(join(folder, "nowhere")), /nowhere does not exist or is not a folder$/);
    });
  });

  it("leaves out games it cannot read, and says so", () => {
    withFolder((folder) => {
      writeSeasonFiles(folder, seasons);
      const file = join(folder, "games.csv");
      writeFileSync(file, setField(2, 4, "warm")(readFileSync(file, "utf8")));
      assert.match(
        loadSeasons(folder).warnings[0] ?? "",
        /games\.csv line 2: the game cannot be read and is left out$/,
      );
    });
  });

  it("in a weekly tree drops unusable players and fills short ones up, with one line each", () => {
    withFolder((folder) => {
      writeWeeklyTree(folder, seasons);
      const file = join(folder, "2101/weeks/week_03/qb_data.json");
      const data = JSON.parse(readFileSync(file, "utf8")) as { qb_data: Record<string, unknown>[] };
      delete data.qb_data[0]?.id;
      (data.qb_data[1] as { projected_points: number[] }).projected_points.length = 2;
      data.qb_data.push(structuredClone(data.qb_data[2]));
      writeFileSync(file, JSON.stringify(data));
      mkdirSync(join(folder, "2103"));
      assert.deepEqual(loadSeasons(folder).warnings, [
        "season 2103 has no weeks folder and is left out",
        "season 2101: 1 entries without id, name or position are left out",
        "season 2101: 1 players are in a week twice; the first counts",
        "season 2101: 1 entries have fewer than 17 weeks; the missing ones count as 0",
      ]);
    });
  });

  it("refuses a weekly tree without any team's file", () => {
    withFolder((folder) => {
      writeWeeklyTree(folder, seasons);
      rmSync(join(folder, "2102/team_data"), { recursive: true });
      assert.throws(() => loadSeasons(folder), /2102\/team_data has no files: it needs <TEAM>\.csv for every team$/);
    });
  });

  it("refuses a folder without seasons, and a season without weeks", () => {
    withFolder((folder) => {
      assert.throws(() => loadSeasons(folder), /holds no seasons: it needs either players\.csv/);
      mkdirSync(join(folder, "2101/weeks"), { recursive: true });
      assert.throws(() => loadSeasons(folder), /season 2101 has no weeks: .* has no folder week_01 … week_18/);
    });
  });
});
