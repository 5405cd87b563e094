import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { coppice } from "../../test/coppice.ts";

const folder = mkdtempSync(join(tmpdir(), "coppice-plan-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const runs = ["--run-dir", join(folder, "runs")];
const small = ["flow", "plan", "--evaluations", "600", "--seed", "9", ...runs];

describe("coppice flow plan", () => {
  it("plans the real day with one digest whatever the workers, and writes plan and report", {
    timeout: 300_000,
  }, async () => {
    const out = join(folder, "plan.json");
    const alone = await coppice(folder, [...small, "--workers", "1", "--json", "--id", "alone", "--out", out]);
    assert.equal(alone.code, 0, alone.stderr);
    const two = await coppice(folder, [...small, "--workers", "2", "--pool", "processes", "--json", "--id", "two"]);
    const [a, b] = [alone, two].map(({ stdout }) => JSON.parse(stdout));
    assert.equal(a.run.digest, b.run.digest);
    assert.equal(a.result.evaluations, 600);
    const plan = JSON.parse(readFileSync(out, "utf8"));
    assert.equal(plan.objective, a.result.best.score.objective);
    assert.ok(plan.objective < 0.85 * 2082);
    const [line] = a.result.best.plan;
    assert.equal(line.volume, plan.plan[0].control_volume_id);
    assert.match(line.windowUtc.join(" "), /^\d\d:\d\d \d\d:\d\d$/);
    assert.equal(line.flowNames.length, line.flows.length);
    assert.ok(existsSync(join(folder, "runs", "two", "report.html")));

    const checked = await coppice(folder, ["flow", "validate", out]);
    assert.equal(checked.code, 0, checked.stdout);
    const explained = await coppice(folder, ["flow", "explain", out, "--json"]);
    assert.equal(JSON.parse(explained.stdout).regulations.length, plan.plan.length);
    const compared = await coppice(folder, [
      "flow",
      "compare",
      out,
      join(folder, "runs", "two", "plan.json"),
      "--json",
    ]);
    assert.deepEqual([JSON.parse(compared.stdout).delta, JSON.parse(compared.stdout).a.only], [0, []]);
  });

  it("says of a day without much to do that nothing pays", { timeout: 300_000 }, async () => {
    const clear = await coppice(folder, [...small, "--scenario", "clear", "--roots", "1", "--json"]);
    assert.equal(clear.code, 0, clear.stderr);
    assert.deepEqual(JSON.parse(clear.stdout).result.best.plan, []);
  });

  const isRoot = process.getuid?.() === 0;
  it("refuses, before it plans, an --out where nothing may be written", { skip: isRoot && "root may" }, async () => {
    const locked = join(folder, "locked");
    mkdirSync(locked, { mode: 0o555 });
    const { code, stderr } = await coppice(folder, ["flow", "plan", "--out", join(locked, "plan.json"), ...runs]);
    assert.equal(code, 2);
    assert.match(stderr, /^coppice: --out .*plan\.json: .*locked may not be written; choose a different directory\n$/);
  });

  it("refuses wrong options and plans in one line, with exit code 2", { timeout: 300_000 }, async () => {
    const twice = join(folder, "twice.json");
    const line = { volume: "ARR:BOS", window: [40, 50], flows: [0], rate: 12 };
    writeFileSync(twice, JSON.stringify([line, { ...line, rate: 7 }]));
    const good = join(folder, "good.json");
    writeFileSync(good, JSON.stringify([line]));
    const bad = join(folder, "bad.json");
    writeFileSync(bad, JSON.stringify([line, { ...line, volume: "nowhere" }, { ...line, rate: 0 }]));
    const wrong: readonly (readonly [readonly string[], number, RegExp])[] = [
      [["flow", "plan", "--evaluations", "3", "--roots", "4", ...runs], 2, /every root needs at least one evaluation/],
      [["flow", "plan", "--without", "luck", ...runs], 2, /--without "luck": the parts are tree, tuning/],
      [["flow", "plan", "--policy", "luck", ...runs], 2, /luck/],
      [["flow", "plan", "--speed", "9", ...runs], 2, /unknown option '--speed'/],
      [["flow", "validate", good, "--log", "run.jsonl"], 2, /--log without --semantics reference/],
      [["flow", "validate", good, "--discovery", "d.json"], 2, /--discovery: needs --semantics reference/],
      [["flow", "explain", bad], 2, /regulation 2: unknown volume "nowhere"/],
      [["flow", "validate", join(folder, "missing.json")], 2, /cannot be read/],
    ];
    for (const [typed, code, message] of wrong) {
      const { code: ended, stderr } = await coppice(folder, typed);
      assert.equal(ended, code, `${typed.join(" ")}: ${stderr}`);
      assert.match(stderr, message);
    }
    const log = join(folder, "run.jsonl");
    writeFileSync(log, JSON.stringify({ type: "run_end", artifacts: { delays_min: { F1: 30, F2: 8 } } }));
    const steps = await coppice(folder, ["flow", "validate", good, "--semantics", "reference", "--log", log]);
    assert.equal(steps.code, 1, steps.stderr);
    assert.match(steps.stdout, /delay_granularity.*\n.*F2 is delayed by 8 minutes/);
    const unreadable = await coppice(folder, ["flow", "validate", bad]);
    assert.equal(unreadable.code, 2);
    assert.match(
      unreadable.stdout,
      /regulation 2: unknown volume "nowhere".*\n.*regulation 3: rate 0; it must be above 0/,
    );
    const duplicate = await coppice(folder, ["flow", "validate", twice]);
    assert.equal(duplicate.code, 1);
    assert.match(duplicate.stdout, /regulation 2 repeats regulation 1: ARR:BOS 40-50 flows 0/);
  });
});
