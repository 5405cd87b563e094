import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import {
  generateSeasons,
  HORIZONS,
  type HorizonAccuracy,
  PARAMETERS,
  startingBaseline,
  type TuningReport,
  writeBaseline,
  writeSeasonFiles,
} from "@coppice/projections";
import { drawnValues } from "@coppice/search";
import { Command } from "commander";
import { registerTune } from "./register.ts";

const coppice = fileURLToPath(new URL("../../bin/coppice.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "coppice-tune-"));
const data = join(folder, "data");
const baseline = join(folder, "baseline");
const small = ["--data", data, "--baseline", baseline, "--no-use-processes", "--max-workers", "2"];

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function tune(...args: readonly string[]): Promise<Ended> {
  return run("tune", ...args);
}

function run(...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [coppice, ...args], { cwd: folder, maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : (error.code as number | null), stdout, stderr });
    });
  });
}

/** The same without a process of its own; rejects with the error that would be printed. */
async function inProcess(...args: readonly string[]): Promise<void> {
  const program = new Command().exitOverride();
  registerTune(program);
  await program.parseAsync(["tune", ...args, "--run-dir", join(folder, ".coppice/runs")], { from: "user" });
}

/** Names and contents of a folder's files. */
function contents(path: string): Readonly<Record<string, string>> {
  return Object.fromEntries(readdirSync(path).map((name) => [name, readFileSync(join(path, name), "utf8")]));
}

before(() => {
  writeSeasonFiles(data, generateSeasons(31, ["2101", "2102"]));
  const { league, horizons } = startingBaseline();
  writeBaseline(
    baseline,
    league,
    HORIZONS.map((horizon) => ({
      horizon,
      name: horizon.name,
      description: horizon.title,
      parameters: horizons[horizon.name] ?? {},
      metrics: null,
    })),
  );
});
after(() => rmSync(folder, { recursive: true, force: true }));

describe("coppice tune", () => {
  it("A-26 tunes end to end with two test values, and its winners are a baseline again", async () => {
    const args = ["--test-values", "2", "--num-params", "1", "--max-workers", "4", "--max-passes", "1"];
    const { code, stdout, stderr } = await tune(
      "--data",
      data,
      "--baseline",
      baseline,
      ...args,
      "--output",
      "a26",
      "--json",
    );
    assert.equal(code, 0, stderr);
    const report = JSON.parse(stdout) as TuningReport;
    assert.equal(report.configurations, 15);
    assert.match(stderr, /^15 configs × 5 horizons = 75 total evaluations per parameter, on \d+ processes$/m);
    assert.match(stderr, /^NORMALIZATION_MAX_SCALE: better for .* \| Configs: 15\/15 \(100\.0%\)/m);
    assert.match(stderr, /^new best for 1-5: MAE \d+\.\d{4} by NORMALIZATION_MAX_SCALE \d+ \(\S+ test \d\)$/m);
    const again = await tune("evaluate", "--data", data, "--config", "a26", "--json");
    const measured = JSON.parse(again.stdout) as { horizons: Record<string, { aggregate: { mae: number } }> };
    for (const { key } of HORIZONS) {
      assert.equal(measured.horizons[key]?.aggregate.mae, report.horizons[key]?.tuned.aggregate.mae);
      assert.ok(
        (report.horizons[key]?.tuned.aggregate.mae ?? 99) <= (report.horizons[key]?.baseline.aggregate.mae ?? 0),
      );
    }
    const file = JSON.parse(readFileSync(join(folder, "a26/week1-5.json"), "utf8"));
    assert.equal(file.performance_metrics.mae, measured.horizons.week_1_5?.aggregate.mae);
    assert.deepEqual(readdirSync(join(folder, "a26")).sort(), [
      "draft_config.json",
      "league_config.json",
      "report.html",
      "report.json",
      "week1-5.json",
      "week10-13.json",
      "week14-17.json",
      "week6-9.json",
    ]);
  });

  it("killed at any moment and resumed, writes the same files", async () => {
    const args = [...small, "--test-values", "4", "--max-passes", "2", "--holdout", "2102", "--quiet"];
    const whole = await tune(...args, "--output", "whole", "--id", "whole");
    assert.equal(whole.code, 0, whole.stderr);
    const first = spawn(process.execPath, [coppice, "tune", ...args, "--output", "parts", "--id", "parts"], {
      cwd: folder,
    });
    await killedAfterLines(first, 4);
    const second = spawn(process.execPath, [coppice, "resume", "parts", "--quiet"], { cwd: folder });
    await killedAfterLines(second, 2);
    assert.equal(existsSync(join(folder, "parts/report.json")), false, "both were killed before the end");
    const last = await run("resume", "parts", "--quiet");
    assert.equal(last.code, 0, last.stderr);
    assert.deepEqual(contents(join(folder, "parts")), contents(join(folder, "whole")));
    assert.equal(last.stdout.replaceAll("parts", "whole"), whole.stdout);
  });

  it("refuses to resume on data that changed", async () => {
    const copy = join(folder, "changing");
    writeSeasonFiles(copy, generateSeasons(31, ["2101"]));
    const args = [
      "--data",
      copy,
      "--baseline",
      baseline,
      "--no-use-processes",
      "--num-params",
      "1",
      "--test-values",
      "1",
    ];
    assert.equal((await tune(...args, "--id", "changed", "--output", "changed")).code, 0);
    appendFileSync(join(copy, "games.csv"), "2101,17,ALD,ASH,1,1,False,False,USA\n");
    const { code, stderr } = await run("resume", "changed");
    assert.equal(code, 2);
    assert.match(stderr, /^coppice: .*input/m);
    assert.equal(stderr.trim().split("\n").length, 1);
  });

  it("replays given values: the drawn ones, written down, find the same winners", async () => {
    const drawn = drawnValues(42, 3);
    const passes = [0, 1].map((pass) =>
      Object.fromEntries(
        PARAMETERS.slice(0, 2).map(({ name, path, min, max, decimals }) => [
          name,
          Object.fromEntries(
            HORIZONS.map((h) => {
              const parameter = { name, path, domain: { kind: "range", min, max, decimals } } as const;
              return [h.name, drawn.of(parameter, h.key, pass, undefined).slice(1)];
            }),
          ),
        ]),
      ),
    );
    writeFileSync(join(folder, "values.json"), JSON.stringify(passes));
    const args = [...small, "--num-params", "2", "--max-passes", "2", "--json"];
    const [one, other] = [
      await tune(...args, "--test-values", "3", "--output", "drawn"),
      await tune(...args, "--candidates", "values.json", "--output", "given"),
    ];
    assert.equal(one.code, 0, one.stderr);
    assert.equal(other.stdout, one.stdout);
  });

  it("A-27 prints whole lines of known kinds only, also when several tunings run at once", async () => {
    const args = [
      "--data",
      data,
      "--baseline",
      baseline,
      "--max-workers",
      "2",
      "--test-values",
      "3",
      "--num-params",
      "2",
    ];
    const both = await Promise.all(["one", "two"].map((name) => tune(...args, "--id", name, "--output", name)));
    const known =
      /^(\d+ configs × 5 horizons = \d+ total evaluations per parameter, on \d+ processes|new best for \S+: MAE \d+\.\d{4} by \S+ \S+ \(\S+ test \d\)|\S+: (nothing better|better for [^|]+) \| Configs: 20\/20 \(100\.0%\).*|pass \d+ done; settled: .*|Configs: .*Horizons: .*|asked for 2 workers, using 1.*)$/;
    for (const { code, stderr } of both) {
      assert.equal(code, 0, stderr);
      for (const line of stderr.trimEnd().split("\n")) assert.match(line, known);
    }
    assert.equal(both[1]?.stdout.replaceAll("two", "one"), both[0]?.stdout);
    assert.deepEqual(contents(join(folder, "two")), contents(join(folder, "one")));
  });

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
      await tune("--data", thin, ...small.slice(2), "--exclude-low-coverage-weeks", "--test-values", "0", "--json"),
      await tune("--compare", baseline, baseline, "--data", thin, "--exclude-low-coverage-weeks", "--json"),
    ];
    assert.match(tuned.stderr, /^season 2101, week 7 is left out/m);
    const report = JSON.parse(tuned.stdout) as TuningReport;
    assert.equal(report.horizons.week_6_9?.tuned.aggregate.weeks_evaluated, 3);
    assert.equal(JSON.parse(compared.stdout).horizons.week_6_9.a.aggregate.weeks_evaluated, 3);
  });

  it("leaves horizons that are not tuned as they are", async () => {
    const args = [
      ...small,
      "--horizons",
      "1-5,week_6_9",
      "--num-params",
      "1",
      "--test-values",
      "1",
      "--max-passes",
      "1",
    ];
    const { code, stdout, stderr } = await tune(...args, "--output", "some", "--json");
    assert.equal(code, 0, stderr);
    assert.deepEqual(Object.keys((JSON.parse(stdout) as TuningReport).horizons), ["week_1_5", "week_6_9"]);
    const files = contents(join(folder, "some"));
    assert.equal(files["week14-17.json"], contents(baseline)["week14-17.json"]);
    assert.notEqual(files["week1-5.json"], contents(baseline)["week1-5.json"]);
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
    const before = contents(production);
    const { stdout } = await tune(...args, "--promote", "better", "--holdout", "2102", "--json");
    const { horizons } = JSON.parse(stdout) as {
      horizons: Record<string, { promoted: boolean; before: HorizonAccuracy; after: HorizonAccuracy }>;
    };
    for (const { key, file } of HORIZONS) {
      const { promoted, before: old, after } = horizons[key] ?? assert.fail();
      assert.equal(promoted, after.aggregate.mae < old.aggregate.mae, key);
      const now = contents(production);
      assert.equal(now[file], promoted ? contents(join(folder, "better"))[file] : before[file]);
      assert.equal(now[`${file}.before`], promoted ? before[file] : undefined);
    }
    assert.ok(Object.values(horizons).some(({ promoted }) => promoted));
    const again = await tune(...args, "--promote", "better", "--holdout", "2102");
    assert.match(again.stdout, /^From better into .*production, judged on 2102:$/m);
    assert.doesNotMatch(again.stdout, / promoted$/m, "what has been promoted is not better than itself");
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

  it("has a demo that needs nothing", async () => {
    const { code, stdout, stderr } = await tune(
      "demo",
      "--test-values",
      "1",
      "--max-passes",
      "1",
      "--no-use-processes",
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Tuned on 2101, 2102, 2103: 160 configurations in 1 pass/);
    assert.match(stdout, /^horizon +MAE before +after +change +2104 before +after +change$/m);
    assert.match(stdout, /2104, which was left out/);
    assert.ok(existsSync(join(folder, "tune-demo/tuned/week1-5.json")));
  });

  it("A-23 says its defaults in the help", async () => {
    const { stdout } = await tune("--help");
    const help = stdout.replaceAll(/\s+/g, " ");
    assert.match(help, /--max-workers <n> [^(]*\(default: 8/);
    assert.match(help, /--use-processes [^(]*\(default: true\)/);
    assert.match(help, /--test-values <n> [^(]*\(default: 20\)/);
    assert.match(help, /--seed <n> [^(]*\(default: 42/);
  });

  it("answers wrong input with one line, exit code 2 and nothing written", async () => {
    writeFileSync(join(folder, "far.json"), JSON.stringify({ NORMALIZATION_MAX_SCALE: [120, 9000] }));
    const broken = join(folder, "broken");
    writeBaseline(broken, { parameters: {} }, []);
    const cases: readonly (readonly [RegExp, ...string[]])[] = [
      [/--data is missing/],
      [/--baseline is missing/, "--data", data],
      [
        /baseline folder .* lacks week1-5\.json, week6-9\.json/,
        "--data",
        data,
        "--baseline",
        broken,
        "--horizons",
        "1-5,6-9",
      ],
      [/unknown parameter WRONG: NORMALIZATION_MAX_SCALE, /, ...small, "--params", "WRONG"],
      [/--num-params 17 is more than the 16 parameters/, ...small, "--num-params", "17"],
      [/unknown horizon soon: ros, 1-5/, ...small, "--horizons", "soon"],
      [/--holdout 1999: the data has seasons 2101, 2102/, ...small, "--holdout", "1999"],
      [
        /far\.json NORMALIZATION_MAX_SCALE ros: 9000 is not a number from 50 to 200/,
        ...small,
        "--num-params",
        "1",
        "--candidates",
        join(folder, "far.json"),
      ],
      [
        /far\.json has no values for TEAM_QUALITY_SCORING_WEIGHT/,
        ...small,
        "--num-params",
        "2",
        "--candidates",
        join(folder, "far.json"),
      ],
      [/--output is the --baseline folder/, ...small, "--output", baseline],
      [/--evaluator and --space go together/, "--evaluator", "x.ts"],
      [/--baseline is missing: the folder to promote into/, "--promote", "tuned", "--data", data],
      [/baseline folder nowhere .*/, "--promote", "nowhere", ...small],
      [/--compare takes two folders/, "--compare", baseline, "--data", data],
    ];
    const runs = readdirSync(join(folder, ".coppice/runs")).length;
    for (const [message, ...args] of cases) await assert.rejects(inProcess(...args), message);
    const { code, stdout, stderr } = await tune(...small, "--params", "WRONG", "--output", "untouched");
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^coppice: unknown parameter WRONG: .*\n$/);
    assert.equal(existsSync(join(folder, "untouched")), false);
    assert.equal(readdirSync(join(folder, ".coppice/runs")).length, runs);
  });
});

/** Kills a process for good once it has said so many lines. */
function killedAfterLines(child: ChildProcess, lines: number): Promise<void> {
  return new Promise((resolve) => {
    let seen = 0;
    child.stderr?.on("data", (text: Buffer) => {
      seen += text.toString().split("\n").length - 1;
      if (seen >= lines) child.kill("SIGKILL");
    });
    child.on("close", () => resolve());
  });
}
