import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { HORIZONS, PARAMETERS, type TuningReport } from "@coppice/projections";
import { drawnValues } from "@coppice/search";
import { contents, TuneFolder } from "../../test/tune-folder.ts";

const trial = new TuneFolder();
after(() => trial.remove());
const { folder, data, baseline, small } = trial;
const tune = (...args: readonly string[]) => trial.coppice("tune", ...args);

/** The document without what it says of the run itself. */
function reportIn(stdout: string): unknown {
  const { run: _, ...report } = JSON.parse(stdout) as Record<string, unknown>;
  return report;
}

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
    assert.match(
      stderr,
      /^15 configs × 5 horizons = 75 total evaluations per parameter, on (1 process|\d+ processes)$/m,
    );
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
    assert.deepEqual(reportIn(other.stdout), reportIn(one.stdout));
    assert.doesNotMatch(other.stderr, /lacks values/);
    const { ros: _, ...weekly } = Object.fromEntries(HORIZONS.map((h) => [h.name, [100, 150]]));
    writeFileSync(join(folder, "weekly.json"), JSON.stringify({ NORMALIZATION_MAX_SCALE: weekly }));
    const part = await tune(...args, "--num-params", "1", "--candidates", "weekly.json", "--output", "weekly");
    assert.equal(part.code, 0, part.stderr);
    assert.match(part.stderr, /weekly\.json lacks values for ros: where it does, only the current value is tried$/m);
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
      /^(\d+ configs × 5 horizons = \d+ total evaluations per parameter, on (1 process|\d+ processes)|new best for \S+: MAE \d+\.\d{4} by \S+ \S+ \(\S+ test \d\)|\S+: (nothing better|better for [^|]+) \| Configs: 20\/20 \(100\.0%\).*|parameter \d+ of \d+: \S+,( pass \d+,)? \d+ evaluations|all \d+ parameters are tuned|pass \d+ done; settled: .*|Configs: .*Horizons: .*|asked for 2 workers, using 1.*)$/;
    for (const { code, stderr } of both) {
      assert.equal(code, 0, stderr);
      for (const line of stderr.trimEnd().split("\n")) assert.match(line, known);
    }
    assert.equal(both[1]?.stdout.replaceAll("two", "one"), both[0]?.stdout);
    assert.deepEqual(contents(join(folder, "two")), contents(join(folder, "one")));
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

  it("takes the options of every run: a cache, a pool, a time limit", async () => {
    const args = [
      "--data",
      data,
      "--baseline",
      baseline,
      "--num-params",
      "1",
      "--test-values",
      "1",
      "--max-passes",
      "1",
    ];
    const common = ["--cache", "known.sqlite", "--durable", "--timers", "--pool", "inline", "--json"];
    const first = await tune(...args, ...common, "--output", "first");
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stderr, /, on 1 inline$/m);
    const again = await tune(...args, ...common, "--output", "again", "--id", "again");
    assert.deepEqual(reportIn(again.stdout), reportIn(first.stdout));
    const journal = readFileSync(join(folder, ".coppice/runs/again/journal.ndjson"), "utf8");
    assert.match(journal, /"from":"cache"/);
    const limited = await tune(
      ...args,
      "--num-params",
      "16",
      "--pool",
      "inline",
      "--max-time",
      "1ms",
      "--output",
      "hasty",
    );
    assert.equal(limited.code, 0, limited.stderr);
    assert.match(limited.stdout, /^Tuned on 2101, 2102: \d+ configurations in 1 pass, then a limit was reached\.$/m);
    assert.ok(existsSync(join(folder, "hasty/week1-5.json")));
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
});
