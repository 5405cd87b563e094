import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { onlyInSoak } from "@coppice/engine/soak";
import { treeBench } from "./tree.ts";

test(
  "T-39: the tree benchmark measures waiting, overhead and growth, and writes the curve",
  onlyInSoak(),
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "coppice-tree-bench-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const csvFile = join(folder, "curve.csv");
    const report = await treeBench({ rounds: 1, quick: true, csvFile });
    assert.deepEqual(
      report.goals.map(({ unit }) => unit),
      ["× one", "ms", "×"],
    );
    assert.ok(report.goals.every(({ value }) => Number.isFinite(value) && value > 0));
    // One after the other they would take eight times as long.
    assert.ok(report.goals[0].value < 6, `8 evaluations took ${report.goals[0].value} × one`);
    assert.equal(report.figures["dry-run evaluations"].value, 20 + 5 * 200);
    assert.equal(readFileSync(csvFile, "utf8").trimEnd().split("\n").length, 1 + 5);
  },
);
