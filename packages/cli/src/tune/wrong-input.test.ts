import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { writeBaseline } from "@coppice/projections";
import { Command } from "commander";
import { TuneFolder } from "../../test/tune-folder.ts";
import { registerTune } from "./register.ts";

const trial = new TuneFolder();
after(() => trial.remove());
const { folder, data, baseline, small } = trial;
const tune = (...args: readonly string[]) => trial.coppice("tune", ...args);

/** Without a process of its own: rejects with the error that would be printed. */
async function inProcess(...args: readonly string[]): Promise<void> {
  const program = new Command().exitOverride();
  registerTune(program);
  await program.parseAsync(["tune", ...args, "--run-dir", join(folder, ".coppice/runs")], { from: "user" });
}

describe("wrong input to coppice tune", () => {
  it("answers wrong input with one line, exit code 2 and nothing written", async () => {
    writeFileSync(join(folder, "far.json"), JSON.stringify({ NORMALIZATION_MAX_SCALE: [120, 9000] }));
    writeFileSync(join(folder, "words.json"), JSON.stringify({ LOCATION_HOME: ["a", 1] }));
    const broken = join(folder, "broken");
    writeBaseline(broken, { parameters: {} }, []);
    const ranges = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return ["--ranges", join(folder, name)];
    };
    const cases: readonly (readonly [RegExp, ...string[]])[] = [
      [/--data is missing/],
      [/--output: .*far\.json is a file; it must be a folder/, ...small, "--output", join(folder, "far.json")],
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
      [/option '--test-values <n>' argument '0' is invalid/, ...small, "--test-values", "0"],
      [/--num-params 17 is more than the 16 parameters/, ...small, "--num-params", "17"],
      [/unknown horizon soon: ros, 1-5/, ...small, "--horizons", "soon"],
      [/--seasons 2101,1999: the data has seasons 2101, 2102/, ...small, "--seasons", "2101,1999"],
      [
        /no\.yaml MINE: there is nothing at MINE: give it a path that begins with NORMALIZATION_MAX_SCALE, /,
        ...[...small, ...ranges("no.yaml", "parameters: [{ name: MINE, min: 0, max: 1 }]")],
      ],
      [
        /words\.yaml LOCATION_HOME: "far" is not a number/,
        ...[...small, ...ranges("words.yaml", "parameters: [{ name: LOCATION_HOME, values: [1, far] }]")],
      ],
      [
        /turned\.yaml LOCATION_HOME: min 4 is above max 1/,
        ...[...small, ...ranges("turned.yaml", "parameters: [{ name: LOCATION_HOME, min: 4, max: 1 }]")],
      ],
      [/--method nsga2 is not for the football model/, ...small, "--method", "nsga2"],
      [/there is only \d+ to tune on/, ...small, "--cross-validate", "--seasons", "2101"],
      [/--repeats is for a space of your own, not for the football model/, ...small, "--repeats", "2"],
      [/--max-passes is for the tournament/, ...small, "--method", "steps", "--max-passes", "3"],
      [/--candidates is for the tournament/, ...small, "--trials", "30", "--candidates", join(folder, "far.json")],
      [/--trials 3 is fewer than the 5 horizons/, ...small, "--trials", "3"],
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
      [/--params names LOCATION_HOME twice/, ...small, "--params", "LOCATION_HOME,LOCATION_HOME"],
      [
        /words\.json LOCATION_HOME ros: "a" is not a number from -5 to 15/,
        ...[...small, "--params", "LOCATION_HOME", "--candidates", join(folder, "words.json")],
      ],
      [/--output: .*far\.json is a file; it must be a folder/, "demo", "--output", join(folder, "far.json")],
      [/--output is the --baseline folder/, ...small, "--output", baseline],
      [/--evaluator and --space go together/, "--evaluator", "x.ts"],
      [/--command and --space/, "--command", "cat"],
      [
        /--evaluator and --command both say what judges/,
        "--evaluator",
        "x.ts",
        "--command",
        "cat",
        "--space",
        "x.json",
      ],
      [/--baseline is missing: the folder to promote into/, "--promote", "tuned", "--data", data],
      [/baseline folder nowhere .*/, "--promote", "nowhere", ...small],
      [/--compare takes two folders/, "--compare", baseline, "--data", data],
    ];
    for (const [message, ...args] of cases) await assert.rejects(inProcess(...args), message);
    const { code, stdout, stderr } = await tune(...small, "--params", "WRONG", "--output", "untouched");
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^coppice: unknown parameter WRONG: .*\n$/);
    assert.equal(existsSync(join(folder, "untouched")), false);
    assert.equal(existsSync(join(folder, ".coppice")), false, "no run was begun");
  });
});
