import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { encodeInstance } from "@coppice/airspace";
import { cutDownDay } from "@coppice/airspace/cut-down-day";
import type { FlowView } from "@coppice/airspace/view";
import { assertRefused, coppice, document, temporaryDirectory } from "../../test/coppice.ts";
import { shownIn } from "../../test/exported-page.ts";

describe("coppice flow plan --front, --robust and --semantics reference", () => {
  it("saves each point's plan, which flow score prices as the front says, and draws one picture", async (t) => {
    const directory = temporaryDirectory(t);
    writeFileSync(join(directory, "day.bin"), encodeInstance(cutDownDay()));
    const plan = ["flow", "plan", "--instance", "day.bin", "--evaluations", "600", "--id", "front", "--json"];
    const found = document(await coppice(directory, [...plan, "--front", "0.005,0.1", "--out", "own.json"]));
    const points = found.front as readonly Record<string, unknown>[];
    assert.deepEqual(
      points.map(({ delayMinutePrice }) => delayMinutePrice),
      [0.005, 0.02, 0.1],
    );
    const run = join(".coppice", "runs", "front");
    for (const point of points) {
      const saved = join(run, String(point.plan));
      const score = document(
        await coppice(directory, ["flow", "score", "--instance", "day.bin", "--plan", saved, "--json"]),
      );
      const { objective, exceedance, delayMinutes } = score.after as Record<string, number>;
      assert.deepEqual([objective, exceedance, delayMinutes], [point.objective, point.exceedance, point.delayMinutes]);
    }
    const { search } = shownIn(join(directory, run, "report.html")).view as FlowView;
    assert.deepEqual(
      search?.front?.map(({ delayMinute, objective }) => [delayMinute, objective]),
      points.map(({ delayMinutePrice, objective }) => [delayMinutePrice, objective]),
      "what the page shows",
    );
    assert.match(readFileSync(join(directory, run, "front", "front.csv"), "utf8"), /^price_of_minute,delay_minutes,/);
    const own = document(
      await coppice(directory, ["flow", "score", "--instance", "day.bin", "--plan", "own.json", "--json"]),
    );
    assert.equal((own.after as Record<string, number>).objective, points[1].objective);
  });

  it("prints what robustness costs, in text, JSON, the page and the plan's file, and saves the plain plan", async (t) => {
    const directory = temporaryDirectory(t);
    writeFileSync(join(directory, "day.bin"), encodeInstance(cutDownDay()));
    const plan = ["flow", "plan", "--instance", "day.bin", "--evaluations", "900", "--robust", "4"];
    const found = document(await coppice(directory, [...plan, "--id", "data", "--json"]));
    const { plain, robust, plannedDraws, freshDraws } = found.robustness as Record<string, Record<string, number>>;
    assert.deepEqual([plannedDraws, freshDraws], [4, 64]);
    assert.ok(robust.plannedMean <= plain.plannedMean && plain.freshWorst >= plain.freshMean);
    const run = join(".coppice", "runs", "data");
    for (const [name, figures] of [
      ["plain.json", plain],
      ["plan.json", robust],
    ] as const) {
      const score = ["flow", "score", "--instance", "day.bin", "--plan", join(run, name), "--json"];
      const { after } = document(await coppice(directory, score));
      assert.equal((after as Record<string, number>).objective, figures.forecast, name);
    }
    const file = JSON.parse(readFileSync(join(directory, run, "plan.json"), "utf8"));
    assert.deepEqual(file.robustness, found.robustness);
    const { search } = shownIn(join(directory, run, "report.html")).view as FlowView;
    assert.equal(search?.weather?.rows[2][1], robust.forecast.toFixed(1), "what the page shows");
    const { stdout } = await coppice(directory, [...plan, "--id", "text"]);
    assert.match(
      stdout,
      /robust plan +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+\nrobustness (costs|saves) [\d.]+ if the forecast/,
    );
  });

  it("plans by the published objective, and scores that plan the same", async (t) => {
    const directory = temporaryDirectory(t);
    const medium = fileURLToPath(new URL("../../../airspace/test/fixtures/golden/medium1.json", import.meta.url));
    const reference = ["--semantics", "reference", "--instance", medium];
    const typed = ["flow", "plan", ...reference, "--out", "plan.json", "--id", "published", "--json"];
    const found = document(await coppice(directory, typed));
    assert.deepEqual([found.objective, found.system_objective, found.commits], [51, 104.5, 1], "the reference numbers");
    const score = document(await coppice(directory, ["flow", "score", ...reference, "--plan", "plan.json"]));
    assert.deepEqual([score.final, score.system], [found.final, found.system]);
    const verified = await coppice(directory, ["verify", "published"]);
    assert.equal(verified.code, 0, verified.stderr);
  });

  it("refuses what means nothing together", async (t) => {
    const directory = temporaryDirectory(t);
    const wrong: readonly (readonly [readonly string[], RegExp])[] = [
      [["--front", "--robust", "4"], /--front: not with --robust/],
      [["--front", "--roots", "2"], /--front: not with --roots/],
      [["--robust", "4", "--policy", "greedy"], /--robust: not with --policy greedy/],
      [["--front", "--lambda", "0"], /--front: its prices are multiples of --lambda, which is 0/],
      [["--front", "0.1,x"], /--front/],
      [["--front", "1e400"], /--front.*It must be a finite number of at least 0/],
      [["--robust", "0"], /--robust/],
      [["--semantics", "reference", "--lambda", "0.1"], /--lambda: not with --semantics reference/],
      [["--semantics", "reference", "--max-actions", "3"], /--max-actions: not with --semantics reference/],
      [["--discovery", "d.json"], /--discovery: needs --semantics reference/],
    ];
    for (const [args, line] of wrong) assertRefused(await coppice(directory, ["flow", "plan", ...args]), line);
  });
});
