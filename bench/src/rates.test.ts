import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { ratesBench } from "./rates.ts";

describe("rates benchmark", () => {
  it("F-02, F-27: runs on a day like the published one, agrees with its twin and writes the curve with its serial baseline", async () => {
    const folder = mkdtempSync(join(tmpdir(), "coppice-bench-"));
    try {
      const csvFile = join(folder, "curve.csv");
      const report = await ratesBench({ quick: true, csvFile });
      assert.equal(report.name, "rates");
      assert.equal(report.figures.flights.value, 2_000);
      assert.ok(Math.abs(report.figures.intervals.value - 15_180) < 300);
      assert.ok(Math.abs(report.figures.requests.value - 430) < 10);
      const same = report.goals.find(({ name }) => name.startsWith("answers that differ"));
      assert.equal(same?.value, 0);
      const [header, ...rows] = readFileSync(csvFile, "utf8").trimEnd().split("\n");
      assert.equal(header, "mode,backend,workers,wall_ms,delta_j,evaluations");
      assert.equal(rows.length, 6);
      assert.deepEqual(
        rows.filter((row) => /^(per_flow|blanket),none,0,/.test(row)).map((row) => row.split(",")[0]),
        ["per_flow", "blanket"],
      );
      assert.ok(rows.every((row) => /^(per_flow|blanket),(none|thread|process),[02],[\d.]+,-?[\d.]+,\d+$/.test(row)));
      const [costHeader, ...costRows] = readFileSync(join(folder, "curve-costs.csv"), "utf8").trimEnd().split("\n");
      assert.equal(costHeader, "cost_ms,inline_ms,speed_up_2_threads_with_start,speed_up_2_threads_running");
      assert.ok(costRows.length > 0 && costRows.every((row) => /^[\d.]+,[\d.]+,[\d.]+,[\d.]+$/.test(row)));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
