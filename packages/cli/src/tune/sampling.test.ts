import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { taskSeed } from "@coppice/engine/command";
import type { TunerView } from "@coppice/projections/view";
import { assertRefused, coppice, document, file, temporaryDirectory } from "../../test/coppice.ts";
import { shownIn } from "../../test/exported-page.ts";

const space = `parameters:
  - { name: rate, type: real, min: 0.001, max: 1, log: true }
  - { name: layers, min: 1, max: 4 }
  - { name: kind, values: [a, b] }
  - { name: depth, min: 1, max: 9, when: { kind: b } }
constraints: ["layers * depth <= 20"]
`;
/** Fails with four layers; the least where the rate is 0.1, with two layers and kind b of depth 5. */
const judge = `export default { evaluate(_, { rate, layers, kind, depth, epochs = 1 }) {
  if (layers === 4) throw new Error("too many layers");
  return Math.abs(Math.log10(rate) + 1) + Math.abs(layers - 2) + (kind === "b" ? Math.abs(depth - 5) / 9 : 1) + 1 / epochs;
} };`;
const both = `export default { evaluate(_, { x }) { return x % 2 === 0 ? { error: x } : { error: x, size: 9 - x }; } };`;

function project(t: TestContext): string {
  const place = temporaryDirectory(t);
  file(place, "space.yaml", space);
  file(place, "judge.mjs", judge);
  file(place, "score.sh", "tr -dc 0-9 | cut -c 1-6\n");
  file(place, "x.json", '{ "parameters": [{ "name": "x", "min": 0, "max": 9 }] }');
  file(
    place,
    "both.json",
    '{ "objectives": { "error": "minimize", "size": "minimize" }, "parameters": [{ "name": "x", "min": 0, "max": 9 }] }',
  );
  file(place, "both.mjs", both);
  return place;
}

const given = ["tune", "--space", "space.yaml", "--evaluator", "judge.mjs", "--pool", "inline"];
const tableOf = (place: string, output: string) => readFileSync(join(place, output, "trials.csv"), "utf8");

describe("coppice tune --method", () => {
  it("finds good points, says what failed, and writes the best, the table and a page; resumed and verified like any run", async (t) => {
    const place = project(t);
    const { code, stdout } = await coppice(place, [...given, "--method", "tpe", "--trials", "60"]);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^60 trials \(tpe\): all 60 trials were made\n\d+ of 60 have no value:\n {2}\d+×: too many layers\nbest: 1\./,
    );
    const { best } = JSON.parse(readFileSync(join(place, "tuned", "best.json"), "utf8")) as { best: { value: number } };
    assert.ok(best.value < 1.5, String(best.value));
    assert.equal(tableOf(place, "tuned").split("\n").length, 62);
    const { trials } = shownIn(join(place, "tuned", "report.html")).view as TunerView;
    assert.equal(trials.length, 60);
    assert.match((await coppice(place, ["verify", "1", "--all"])).stdout, /^run 1 is reproducible: 60 tells/);
    assert.equal((await coppice(place, ["resume", "1"])).stdout, stdout);
  });

  it("goes on with a finished run as one run would have, and starts from what another knows", async (t) => {
    const place = project(t);
    for (const [trials, output] of [
      ["40", "part"],
      ["60", "whole"],
    ]) {
      await coppice(place, [...given, "--method", "tpe", "--trials", trials, "--output", output]);
    }
    const more = document(
      await coppice(place, [
        "tune",
        "--continue",
        "1",
        "--trials",
        "60",
        "--output",
        "more",
        "--json",
        "--pool",
        "inline",
      ]),
    );
    assert.equal(more.tells, 20);
    assertRefused(
      await coppice(place, ["tune", "--continue", "1", "--trials", "60", "--seed", "7"]),
      /--seed is settled by run 1, which --continue goes on with: it is \d+/,
    );
    assertRefused(
      await coppice(place, ["tune", "--continue", "1", "--method", "tpe"]),
      /--method is settled by run 1, which --continue goes on with/,
    );
    assert.equal(tableOf(place, "more"), tableOf(place, "whole"));
    const warm = await coppice(place, [
      ...given,
      "--method",
      "cma-es",
      "--trials",
      "10",
      "--from",
      "1",
      "--output",
      "warm",
    ]);
    assert.match(warm.stderr, /40 trials of run 1 are known from the start/);
  });

  it("chooses a method and says why; begins with given points; ends where the space does", async (t) => {
    const place = project(t);
    file(place, "first.json", '[{ "x": 7 }, { "x": 3 }]');
    const args = ["tune", "--space", "x.json", "--command", "sh score.sh", "--pool", "inline"];
    const { stdout, stderr } = await coppice(place, [...args, "--trials", "50", "--first", "first.json"]);
    assert.match(stderr, /^method halton: all 10 points can be tried in 50 trials$/m);
    assert.match(
      stdout,
      /^10 trials \(halton\): the space has only 10 points, and all were tried\nbest: 0 at \{"x":0\}/,
    );
    assert.match(tableOf(place, "tuned"), /^trial,value,x,failure\n1,7,7,\n2,3,3,\n/);
    const { best } = JSON.parse(readFileSync(join(place, "tuned", "best.json"), "utf8")) as { best: { again: string } };
    assert.equal(execFileSync("sh", ["-c", best.again], { cwd: place, encoding: "utf8" }).trim(), "0");
  });

  it("leaves what an earlier run found when no trial has a value", async (t) => {
    const place = project(t);
    const args = ["tune", "--space", "x.json", "--pool", "inline", "--trials", "2", "--command"];
    const wrote = () => [readFileSync(join(place, "tuned", "best.json"), "utf8"), tableOf(place, "tuned")];
    assert.equal((await coppice(place, [...args, "false"])).code, 1);
    assert.match(wrote()[0], /"best": null/);
    assert.equal((await coppice(place, [...args, "sh score.sh"])).code, 0);
    const found = wrote();
    assert.match(found[0], /"value": \d/);
    const { code, stdout } = await coppice(place, [...args, "false"]);
    assert.equal(code, 1);
    assert.match(stdout, /no trial has a value; if an earlier run left a best\.json in \S+tuned, it stays as it is$/m);
    assert.deepEqual(wrote(), found);
  });

  it("runs the first example of its page as it stands there", async (t) => {
    const place = temporaryDirectory(t);
    const page = readFileSync(new URL("../../../../docs/tune-your-own.md", import.meta.url), "utf8");
    const block = (language: string) => page.split(`\n\`\`\`${language}\n`)[1].split("```")[0];
    file(place, "train.py", block("python"));
    file(place, "space.yaml", block("yaml"));
    const [, options, program] = /^npx coppice (tune .*)--command "(.*)" /.exec(block("sh")) ?? assert.fail();
    const args = [...options.trim().split(" "), "--command", program, "--method", "tpe", "--trials", "12"];
    const { code, stdout } = await coppice(place, args);
    assert.equal(code, 0);
    assert.match(stdout, /^12 trials \(tpe\): all 12 trials were made\nbest: /);
  });

  it("calls a trial that failed by its number in the table: when it fails, at the end, shown, and going on", async (t) => {
    const place = project(t);
    const all = await coppice(place, [...given, "--method", "random", "--trials", "12"]);
    const failed = [...tableOf(place, "tuned").matchAll(/^(\d+),,.*too many layers$/gm)].map(([, trial]) => trial);
    assert.ok(failed.length > 1);
    const said = (text: string) =>
      [...text.matchAll(/^ *trial (\d+)(?= failed|, attempt)/gm)].map(([, trial]) => trial);
    assert.deepEqual(said(all.stderr), failed);
    assert.deepEqual(said((await coppice(place, ["show", "1"])).stdout), failed);
    assert.deepEqual(said((await coppice(place, ["watch", "1"])).stderr), failed);

    const stopped = await coppice(place, [...given, "--method", "random", "--trials", "12", "--on-failure", "stop"]);
    assert.match(
      stopped.stderr,
      new RegExp(`^coppice: run 2 stopped: trial ${failed[0]} \\(key .*too many layers`, "m"),
    );
    assert.match((await coppice(place, ["show", "2"])).stdout, new RegExp(`^trial ${failed[0]} \\(key `, "m"));

    const more = await coppice(place, ["tune", "--continue", "1", "--trials", "40", "--pool", "inline"]);
    const later = [...tableOf(place, "tuned").matchAll(/^(\d+),,.*too many layers$/gm)].map(([, trial]) => trial);
    assert.deepEqual(said(more.stderr), later.slice(failed.length));

    const repeated = ["--method", "random", "--trials", "12", "--repeats", "2"];
    const { stderr } = await coppice(place, [...given, ...repeated]);
    assert.match(stderr, new RegExp(`^trial ${failed[0]}, evaluation 2 failed `, "m"));
  });

  it("has the spread of repeated evaluations beside their mean", async (t) => {
    const place = project(t);
    file(place, "noisy.mjs", "export default { evaluate: (_, { x }, { key }) => x + Number(key.at(-1)) };");
    const args = ["tune", "--space", "x.json", "--evaluator", "noisy.mjs", "--pool", "inline", "--repeats", "3"];
    await coppice(place, [...args, "--trials", "10"]);
    const [head, ...rows] = tableOf(place, "tuned").trim().split("\n");
    assert.equal(head, "trial,value,spread of value,x,failure");
    for (const row of rows) {
      const [, value, spread, x] = row.split(",").map(Number);
      assert.deepEqual([value, spread], [x + 2, 1]);
    }
    assert.equal(rows.length, 10);
  });

  it("has the Pareto front of several objectives, and says which outcomes lack one", async (t) => {
    const place = project(t);
    const args = ["tune", "--space", "both.json", "--evaluator", "both.mjs", "--pool", "inline", "--trials", "30"];
    const { stdout, stderr } = await coppice(place, args);
    assert.match(stderr, /method nsga2: there are 2 objectives/);
    assert.match(
      stdout,
      /^10 trials \(nsga2\): .*\n5 of 10 have no value:\n {2}5×: size is missing\n5 trials that none/,
    );
    const errors = [...stdout.matchAll(/^ {2}error (\d), size/gm)].map(([, error]) => Number(error));
    assert.deepEqual(errors, [1, 3, 5, 7, 9], "in the order of the first objective");
  });

  it("spends a budget in rungs", async (t) => {
    const place = project(t);
    const args = [...given, "--budget", "epochs=1..9", "--trials", "17", "--json"];
    const { result, method } = document(await coppice(place, args)) as unknown as {
      result: undefined;
      method: string;
    };
    assert.deepEqual([result, method], [undefined, "hyperband"]);
    assert.match(tableOf(place, "tuned"), /^trial,value,budget,rate,layers,kind,depth,failure\n/);
  });

  it("has the line that evaluates the best of a budget again, with its checkpoints", async (t) => {
    const place = project(t);
    file(place, "spend.sh", "cat > /dev/null; echo 4; exit");
    const args = ["tune", "--space", "x.json", "--command", "sh spend.sh", "--pool", "inline", "--method", "halving"];
    await coppice(place, [...args, "--budget", "epochs=1..3", "--trials", "3"]);
    const { best, evaluations } = JSON.parse(readFileSync(join(place, "tuned", "best.json"), "utf8")) as {
      best: { again: string };
      evaluations: number;
    };
    assert.equal(evaluations, 4);
    const [, given, own] = /^printf %s '(.*)' \| COPPICE_TASK_SEED=(\d+) sh spend\.sh$/.exec(best.again) ?? [];
    const { epochs, checkpoint } = JSON.parse(given) as { epochs: number; checkpoint: { load: string; save: string } };
    assert.equal(epochs, 3);
    assert.match(`${checkpoint.load} ${checkpoint.save}`, /^42-(\w+)-1 42-\1-3$/);
    assert.equal(Number(own), taskSeed(42, given));
    const journal = readFileSync(join(place, ".coppice", "runs", "1", "journal.ndjson"), "utf8");
    assert.ok(journal.includes(JSON.stringify(given).slice(1, -1)));
  });

  it("refuses in one line what cannot be, and writes nothing", async (t) => {
    const place = project(t);
    file(place, "far.json", '[{ "x": 70 }]');
    file(place, "broken.yaml", "[{ rate: 0.1, layers: 4, kind: b, depth: 6 }]");
    file(place, "stray.json", '[{ "x": 7, "z": 1 }]');
    const only = (rule: string) => `parameters: [{ name: x, min: 0, max: 9 }]\nconstraints: ["${rule}"]\n`;
    file(place, "none-of-ten.yaml", only("x > 9"));
    file(place, "none-of-many.yaml", only("x > 9").replace("max: 9", "max: 9, type: real"));
    const one = ["--space", "x.json", "--evaluator", "judge.mjs"];
    const two = ["--space", "both.json", "--evaluator", "both.mjs"];
    const lines: [string[], RegExp][] = [
      [["--method", "tpe"], /--space is missing: a file that says what is searched/],
      [["--method", "best", ...one], /Allowed choices are auto, random/],
      [["--method", "tpe", "--space", "x.json"], /add --command or --evaluator/],
      [
        ["--trials", "5", "--space", "x.json", "--evaluator", "none.mjs"],
        /there is no evaluator module at .*none\.mjs/,
      ],
      [["--trials", "0", ...one], /It must be a whole number from 1/],
      [["--target", "soon", ...one], /It must be a number/],
      [["--method", "hyperband", ...one], /--method hyperband needs what it may spend: --budget epochs=1\.\.81/],
      [
        ["--method", "tpe", "--budget", "epochs=1..9", ...one],
        /--budget is for --method halving and hyperband, not tpe/,
      ],
      [["--budget", "epochs", ...one], /--budget epochs: it is a name, the least and the most/],
      [["--budget", "x=1..9", ...one], /--budget x=1\.\.9: the parameter x is where a point has its budget: rename it/],
      [["--budget", "e=1..9", "--repeats", "2", ...one], /--repeats does not go with --method hyperband/],
      [["--method", "tpe", ...two], /--method tpe has one objective: use nsga2, random or halton for 2/],
      [["--patience", "3", ...two], /--patience is for one objective, not 2/],
      [["--first", "far.json", ...one], /far\.json: point 1: x is 70: it is a number from 0 to 9/],
      [
        ["--first", "broken.yaml", "--space", "space.yaml", "--evaluator", "judge.mjs"],
        /broken\.yaml: point 1: it breaks the constraint layers \* depth <= 20/,
      ],
      [["--from", "9", ...one], /there is no run 9/],
      [["--continue", "9", "--trials", "50"], /there is no run 9/],
      [["--horizons", "near", "--method", "tpe", ...one], /--horizons is for a tournament or the football model/],
      [["--first", "stray.json", "--method", "tpe", ...one], /stray\.json: point 1: the space has no parameter z/],
      [["--output", "/proc/nope", "--method", "tpe", ...one], /--output: nothing can be written in \//],
      [["--continue", "9", "--method", "tpe"], /there is no run 9/],
      [["--output", "x.json", "--trials", "3", ...one], /--output: \S+x\.json is a file; it must be a folder/],
      [["--trials", "3", "--space", "x.json", "--evaluator", "."], /is a folder: an evaluator is a module, a file/],
      [["--trials", "3", ...one, "--data", "."], /--space is for a space of your own, not for the football model/],
      [["--objective", "mae", "--method", "tpe", ...one], /--objective is for a tournament or the football model/],
      [["--test-values", "3", "--method", "tpe", ...one], /--test-values is for a tournament or the football model/],
      [["--max-passes", "3", "--method", "tpe", ...one], /--max-passes is for a tournament or the football model/],
      [["--budget", "e=9..1", ...one], /--budget e=9\.\.1: the least is 9 and the most 1: the most must be above/],
      [["--budget", "e=0..9", ...one], /--budget e=0\.\.9: the least is 0: it must be above 0/],
      [["--budget", "e=1..9/1", ...one], /one in 1 cannot go on: what follows the slash must be above 1/],
      [["--budget", "e=1..2", ...one], /one in 3 goes on, so the most must be at least 3 times the least/],
      [["--target", "abc", ...one], /argument 'abc' is invalid\. It must be a number\. /],
      [["--target", "1e999", ...one], /argument '1e999' is invalid\. It must be a finite number\. /],
      [
        ["--trials", "2", "--space", "none.yaml", "--command", "cat"],
        /none\.yaml cannot be read: there is no such file/,
      ],
      [
        ["--space", "none-of-ten.yaml", "--command", "cat", "--method", "tpe"],
        /none-of-ten\.yaml: none of the space's 10 points keeps its constraints/,
      ],
      [
        ["--space", "none-of-many.yaml", "--command", "cat", "--budget", "epochs=1..9"],
        /none-of-many\.yaml: none of the 10100 points that were tried keeps its constraints/,
      ],
      [["--trials", "2", "--space", ".", "--command", "cat"], /\. cannot be read: it is a folder/],
    ];
    for (const [args, line] of lines) assertRefused(await coppice(place, ["tune", ...args]), line);
    assert.ok(!existsSync(join(place, ".coppice")) && !existsSync(join(place, "tuned")));
  });
});
