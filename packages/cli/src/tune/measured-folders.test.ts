import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import {
  generateSeasons,
  HORIZONS,
  type HorizonAccuracy,
  type TuningReport,
  writeSeasonFiles,
} from "@coppice/projections";
import { contents, TuneFolder } from "../../test/tune-folder.ts";

const trial = new TuneFolder();
after(() => trial.remove());
const { folder, data, baseline, small } = trial;
const tune = (...args: readonly string[]) => trial.coppice("tune", ...args);

describe("configurations measured without tuning", () => {
  it("leaves weeks with few projections out when asked to", async () => {
    const thin = join(folder, "thin");
    const seasons = generateSeasons(31, ["2101"]).map((season) => ({
      ...season,
      players: season.players.map((p, i) => (i % 4 === 0 ? p : { ...p, projected: p.projected.with(6, 0) })),
    }));
    writeSeasonFiles(thin, seasons);
    const args = ["evaluate", "--data", thin, "--config", baseline, "--json"];
    const weeks = async (...more: readonly string[]) => {
      const { stdout, stderr } = await tune(...args, ...more);
      const { horizons } = JSON.parse(stdout) as {
        horizons: Record<string, { aggregate: { weeks_evaluated: number } }>;
      };
      return { weeks: horizons.week_6_9?.aggregate.weeks_evaluated, stderr };
    };
    assert.deepEqual(await weeks(), { weeks: 4, stderr: "" });
    const without = await weeks("--exclude-low-coverage-weeks");
    assert.equal(without.weeks, 3);
    assert.match(without.stderr, /^season 2101, week 7 is left out: only \d+\.\d % of its players were projected\n$/);
    const [tuned, compared] = [
      await tune("--data", thin, ...small.slice(2), "--exclude-low-coverage-weeks", "--test-values", "1", "--json"),
      await tune("--compare", baseline, baseline, "--data", thin, "--exclude-low-coverage-weeks", "--json"),
    ];
    assert.match(tuned.stderr, /^season 2101, week 7 is left out/m);
    const report = JSON.parse(tuned.stdout) as TuningReport;
    assert.equal(report.horizons.week_6_9?.tuned.aggregate.weeks_evaluated, 3);
    assert.equal(JSON.parse(compared.stdout).horizons.week_6_9.a.aggregate.weeks_evaluated, 3);
  });

  it("compares two folders", async () => {
    const { code, stdout } = await tune("--compare", baseline, baseline, "--data", data, "--json");
    assert.equal(code, 0);
    const { horizons } = JSON.parse(stdout) as {
      horizons: Record<string, { a: unknown; b: unknown; seasons_won_by_b: number }>;
    };
    assert.deepEqual(horizons.ros?.a, horizons.ros?.b);
    assert.equal(horizons.ros?.seasons_won_by_b, 0);
  });

  it("promotes, horizon by horizon, what is better than the baseline, and keeps what was there", async () => {
    const production = join(folder, "production");
    cpSync(baseline, production, { recursive: true });
    const args = ["--data", data, "--baseline", production, "--no-use-processes"];
    const tuned = await tune(
      ...args,
      "--num-params",
      "4",
      "--test-values",
      "6",
      "--holdout",
      "2102",
      "--output",
      "better",
    );
    assert.equal(tuned.code, 0, tuned.stderr);
    // What a person wrote there, in the person's own way.
    const own = join(production, "week6-9.json");
    const mine = { ...JSON.parse(readFileSync(own, "utf8")), config_name: "mine", notes: "ask Ben" };
    mine.parameters.INJURY_PENALTIES = { LOW: 0.5 };
    mine.parameters.TEAM_QUALITY_SCORING.why = "a hunch";
    writeFileSync(own, `${JSON.stringify(mine, null, 4)}\n\n`);
    // A winner may come from another horizon's values; what a person wrote beside those stays where it is.
    for (const { file } of HORIZONS) {
      const winner = join(folder, "better", file);
      const { parameters, ...rest } = JSON.parse(readFileSync(winner, "utf8"));
      const section = { ...parameters.TEAM_QUALITY_SCORING, why: "elsewhere", whose: "another's" };
      writeFileSync(winner, JSON.stringify({ ...rest, parameters: { ...parameters, TEAM_QUALITY_SCORING: section } }));
    }
    const before = contents(production);
    const shown = await tune(...args, "--promote", "better", "--holdout", "2102");
    assert.match(shown.stdout, /^- {5}"NORMALIZATION_MAX_SCALE": 120,$/m);
    assert.match(shown.stdout, /nothing was changed; to make these changes, add --yes\n$/);
    assert.deepEqual(contents(production), before);
    const { stdout } = await tune(...args, "--promote", "better", "--holdout", "2102", "--json", "--yes");
    const { horizons } = JSON.parse(stdout) as {
      horizons: Record<string, { promoted: boolean; before: HorizonAccuracy; after: HorizonAccuracy }>;
    };
    for (const { key, file } of HORIZONS) {
      const { promoted, before: old, after } = horizons[key] ?? assert.fail();
      assert.equal(promoted, after.aggregate.mae < old.aggregate.mae, key);
      const now = contents(production);
      assert.equal(now[file] !== before[file], promoted, key);
      assert.equal(now[`${file}.before`], promoted ? before[file] : undefined);
    }
    const then = readFileSync(own, "utf8");
    const { parameters, ...beside } = JSON.parse(then);
    assert.deepEqual([beside.config_name, beside.notes], ["mine", "ask Ben"]);
    assert.deepEqual([parameters.INJURY_PENALTIES, parameters.TEAM_QUALITY_SCORING.why], [{ LOW: 0.5 }, "a hunch"]);
    for (const { file } of HORIZONS)
      assert.doesNotMatch(readFileSync(join(production, file), "utf8"), /elsewhere|another's/);
    const lines = (text: string | undefined) => (text ?? "").split("\n");
    const untouched = lines(before["week6-9.json"]).filter((line) => lines(then).includes(line));
    assert.ok(untouched.length > lines(before["week6-9.json"]).length - 6, then);
    assert.ok(Object.values(horizons).some(({ promoted }) => promoted));
    const again = await tune(...args, "--promote", "better", "--holdout", "2102", "--yes");
    assert.match(again.stdout, /^From better into .*production, judged on 2102:$/m);
    assert.match(again.stdout, /nothing to change\n$/, "what has been promoted is not better than itself");
    // Another promotion: the first backup stays, the file as it was is beside it.
    const worse = join(folder, "worse");
    cpSync(production, worse, { recursive: true });
    writeFileSync(own, then.replace(/"WEIGHT": [\d.]+/, '"WEIGHT": 40'));
    const last = readFileSync(own, "utf8");
    await tune(...args, "--promote", worse, "--holdout", "2102", "--yes");
    const both = contents(production);
    assert.deepEqual([both["week6-9.json.before"], both["week6-9.json.before-last"]], [before["week6-9.json"], last]);
  });

  it("prints every player's projection", async () => {
    const { stdout } = await tune(
      "evaluate",
      "--data",
      data,
      "--config",
      join(baseline, "week6-9.json"),
      "--players",
      "--json",
    );
    const { players, player_columns, horizons } = JSON.parse(stdout) as {
      players: [string, number | null, number, number, number, string][];
      player_columns: string[];
      horizons: Record<string, { aggregate: { mae: number; player_count: number } }>;
    };
    assert.deepEqual(player_columns.slice(0, 5), ["season", "week", "player_id", "projected", "actual"]);
    for (const { key } of HORIZONS) {
      const own = players.filter((row) => row[5] === key);
      const { mae, player_count } = horizons[key]?.aggregate ?? assert.fail();
      assert.equal(own.length, player_count);
      const error = own.reduce((sum, row) => sum + Math.abs(row[4] - row[3]), 0);
      assert.ok(Math.abs(error / own.length - mae) < 1e-9);
    }
  });
});
