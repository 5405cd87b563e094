import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { onlyInSoak } from "@coppice/engine/soak";
import { planScalingBench } from "./plan-scaling.ts";

describe("coppice bench plan-scaling", () => {
  it("measures one part alone", async () => {
    const { goals } = await planScalingBench({ quick: true, parts: ["time"] });
    assert.deepEqual(
      goals.map(({ name }) => name),
      ["J of 2 above 1, same time"],
    );
  });

  it("F-26, F-27: plan-scaling measures one and two workers, walkers, root by root and leaf by leaf, and writes a CSV", {
    ...onlyInSoak(),
    timeout: 300_000,
  }, async () => {
    const csvFile = join(mkdtempSync(join(tmpdir(), "coppice-scaling-")), "curve.csv");
    const { figures, goals } = await planScalingBench({ quick: true, csvFile });
    for (const mode of ["walkers", "root", "leaf"]) {
      assert.ok(figures[`${mode}, 1 worker`].value > 0 && figures[`${mode}, 2 workers`].value > 0);
      const gain = figures[`${mode}, 1 worker`].value / figures[`${mode}, 2 workers`].value;
      const possible =
        figures[`${mode}, two processes one after the other`].value / figures[`${mode}, two processes at once`].value;
      assert.equal(figures[`${mode}, what two processes gain at once`].value, possible);
      assert.equal(figures[`${mode}, gain of 2 workers against that`].value, gain / possible);
    }
    assert.equal(goals.length, 8);
    const waiting = goals.find((goal) => goal.name === "part of the time that 2 workers wait, walkers");
    assert.ok(waiting !== undefined && waiting.value >= 0 && waiting.value < 1, `${waiting?.value}`);
    const simulated = (workers: number) => figures[`λ 0.02, 4 walkers, simulated gain of ${workers} workers`].value;
    assert.equal(simulated(1), 1);
    assert.ok(simulated(2) > 1 && simulated(2) <= 2 && simulated(4) >= simulated(2), "more workers never take longer");
    assert.equal(simulated(256), simulated(4), "nobody needs more workers than walkers");
    const leafMs = goals.find((goal) => goal.name === "time of an evaluation, leaf");
    assert.ok(leafMs?.ok, "exact rates are slow enough to be worth a worker");
    const [head, ...rows] = readFileSync(csvFile, "utf8").trimEnd().split("\n");
    rmSync(dirname(csvFile), { recursive: true });
    assert.equal(head, "mode,workers,wall_seconds,evaluations,objective,control_wall_seconds,gain_against_control");
    for (const mode of ["walkers", "root", "leaf"]) {
      const of = rows.map((row) => row.split(",")).filter(([name]) => name === mode);
      assert.deepEqual(
        of.map(([, workers]) => workers),
        ["1", "2"],
      );
      assert.equal(of[0][3] + of[0][4], of[1][3] + of[1][4], "same evaluations and J");
      const [apart, together] = of.map((row) => Number(row[5]));
      const against = Number(of[0][2]) / Number(of[1][2]) / (apart / together);
      assert.ok(Math.abs(Number(of[1][6]) - against) < 0.1 * against, "the gain beside that of two processes");
    }
  });
});
