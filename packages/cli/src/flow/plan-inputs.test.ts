import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { assembleInstance, encodeInstance, usDay } from "@coppice/airspace";
import { assertRefused, coppice, ended, journaled, launch, temporaryDirectory } from "../../test/coppice.ts";

describe("the day that coppice flow plan is given", () => {
  it("may have no hotspots: the command says so, the plan is empty and all is well", {
    timeout: 300_000,
  }, async (t) => {
    const directory = temporaryDirectory(t);
    const visits = [{ volume: 0, entrySecond: 0, exitSecond: 60, indexBin: 10 }];
    const quiet = assembleInstance({
      name: "a quiet day",
      start: "2020-01-01T00:00:00Z",
      binMinutes: 15,
      volumes: [{ id: "V0" }],
      flights: [{ id: "F0", takeoffSecond: 9000, visits }],
      capacity: new Float64Array(96).fill(4),
    });
    const day = join(directory, "quiet.bin");
    writeFileSync(day, encodeInstance(quiet));
    for (const policy of ["default", "plain", "annealing", "greedy", "greedy-all", "random", "empty"]) {
      const plan = ["flow", "plan", "--instance", day, "--evaluations", "50", "--policy", policy];
      const { code, stdout, stderr } = await coppice(directory, [...plan, "--roots", "1", "--id", policy]);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /a quiet day has no hotspots: the empty plan is the best one/, policy);
    }
  });

  it("must still be the same when the run is resumed", { timeout: 300_000 }, async (t) => {
    const directory = temporaryDirectory(t);
    const day = join(directory, "day.bin");
    writeFileSync(day, encodeInstance(usDay("storm")));
    const plan = ["flow", "plan", "--instance", day, "--evaluations", "60000", "--roots", "20", "--workers", "1"];
    const child = launch(directory, [...plan, "--id", "stopped", "--quiet"], {}, t);
    const end = ended(child);
    await journaled(join(directory, ".coppice", "runs", "stopped"), 1);
    child.kill("SIGINT");
    const { code, stderr } = await end;
    assert.equal(code, 130, stderr);
    writeFileSync(day, encodeInstance(usDay("clear")));
    assertRefused(await coppice(directory, ["resume", "stopped"]), /inputs/);
  });
});
