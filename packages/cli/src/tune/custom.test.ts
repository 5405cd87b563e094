import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import type { TunerView } from "@coppice/projections/view";
import { coppice } from "../../test/coppice.ts";
import { shownIn } from "../../test/exported-page.ts";

const folder = mkdtempSync(join(tmpdir(), "coppice-custom-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const space = {
  horizons: ["near", "far away"],
  objective: "maximize",
  baseline: { knob: { x: 0 }, mode: "a" },
  parameters: [
    { name: "x", path: "knob.x", min: -9, max: 9 },
    { name: "mode", values: ["a", "b"] },
  ],
};

/** Best at x = 4 near and x = -7 far away, always in mode b; breaks above 7 and has no opinion far away at 0. */
const judge = `export default {
  evaluate(_, { configuration: { knob: { x }, mode }, horizons }) {
    if (x > 7) throw new Error("x " + x + " is too much");
    const bonus = mode === "b" ? 1 : 0;
    const scores = { near: bonus - Math.abs(x - 4), "far away": x === 0 ? null : bonus - Math.abs(x + 7) };
    return Object.fromEntries(horizons.map((horizon) => [horizon, scores[horizon]]));
  },
};`;

writeFileSync(join(folder, "judge.mjs"), judge);
writeFileSync(join(folder, "space.json"), JSON.stringify(space));

function tune(...args: readonly string[]) {
  const given = ["--evaluator", "judge.mjs", "--space", "space.json", "--no-use-processes", "--max-workers", "1"];
  return coppice(folder, ["tune", ...given, ...args]);
}

describe("coppice tune with an evaluator of one's own", () => {
  it("A-10 stops at the first configuration that cannot be judged, with one line that says why", async () => {
    const { code, stdout, stderr } = await tune("--test-values", "30", "--quiet");
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr.trim().split("\n").at(-1) ?? "", /^coppice: .*x \d is too much/);
  });

  it("goes on without it when asked to, and finds the best of every horizon", async () => {
    const { code, stdout, stderr } = await tune(
      "--test-values",
      "60",
      "--on-failure",
      "continue",
      "--output",
      "best",
      "--json",
    );
    assert.equal(code, 0, stderr);
    const { horizons } = JSON.parse(stdout) as { horizons: Record<string, unknown> };
    assert.deepEqual(horizons, {
      near: { baseline: -4, tuned: 1, configuration: { knob: { x: 4 }, mode: "b" } },
      "far away": { baseline: null, tuned: 1, configuration: { knob: { x: -7 }, mode: "b" } },
    });
    assert.match(stderr, /^failed: x [89] on near: .*is too much/m);
    const file = JSON.parse(readFileSync(join(folder, "best/far-away.json"), "utf8"));
    assert.deepEqual(file, { knob: { x: -7 }, mode: "b" });
    const { tables, parameters } = shownIn(join(folder, "best/report.html")).view as TunerView;
    assert.deepEqual(tables[0].rows, [
      ["near", "-4", "1"],
      ["far away", "-", "1"],
    ]);
    assert.deepEqual(
      parameters.map(({ name }) => name),
      ["x", "mode"],
    );
  });

  it("judges with a program in the same way as with a module", async () => {
    writeFileSync(
      join(folder, "judge.js"),
      `const { configuration: { knob: { x }, mode }, horizons } = JSON.parse(require("fs").readFileSync(0, "utf8"));
if (x > 7) throw new Error("x " + x + " is too much");
const bonus = mode === "b" ? 1 : 0;
const scores = { near: bonus - Math.abs(x - 4), "far away": x === 0 ? null : bonus - Math.abs(x + 7) };
console.log(JSON.stringify(Object.fromEntries(horizons.map((horizon) => [horizon, scores[horizon]]))));`,
    );
    const few = ["--test-values", "6", "--max-passes", "1", "--on-failure", "continue", "--json"];
    const module = await tune(...few, "--output", "by-module");
    const given = ["--command", `'${process.execPath}' judge.js`, "--space", "space.json", "--workers", "2"];
    const program = await coppice(folder, ["tune", ...given, ...few, "--output", "by-program"]);
    assert.equal(program.code, 0, program.stderr);
    const { horizons: byModule } = JSON.parse(module.stdout) as { horizons: unknown };
    const { horizons: byProgram } = JSON.parse(program.stdout) as { horizons: unknown };
    assert.deepEqual(byProgram, byModule);
  });

  it("fails when a program has no number for a horizon, and says which", async () => {
    writeFileSync(join(folder, "partly.sh"), `echo '{"near":1,"far away":"x"}'\n`);
    const args = ["--command", "sh partly.sh", "--space", "space.json", "--pool", "inline", "--output", "none"];
    const { code, stderr } = await coppice(folder, ["tune", ...args, "--quiet"]);
    assert.equal(code, 1);
    assert.match(stderr, /far away is "x", but needs a number or null/);
    assert.ok(!existsSync(join(folder, "none")));
  });

  it("refuses what a module returns that is not a number for each horizon", async () => {
    const module = (value: string) =>
      `export default { evaluate: (_state, { configuration: { knob: { x } }, horizons }) => ${value} };`;
    const wrong: [string, RegExp][] = [
      ["({})", /ValueRefused: the evaluator returned \{\}: it has nothing for near, which needs a number or null/],
      ['"good"', /the evaluator returned "good": an object with a number or null for each name is needed/],
      ['({ near: 1, "far away": "x" })', /far away is "x", but needs a number or null/],
    ];
    for (const [i, [value, line]] of wrong.entries()) {
      const evaluator = join(folder, `wrong-${i}.js`);
      writeFileSync(evaluator, module(value));
      const given = ["--space", "space.json", "--test-values", "2", "--max-passes", "1", "--output", "never"];
      const { code, stderr } = await coppice(folder, ["tune", "--evaluator", evaluator, ...given, "--quiet"]);
      assert.equal(code, 1);
      assert.match(stderr, line);
      assert.ok(!existsSync(join(folder, "never")));
    }
  });
});
