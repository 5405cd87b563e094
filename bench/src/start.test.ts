import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startBench } from "./start.ts";

describe("start benchmark", () => {
  it("measures the version and every help from what is published", async () => {
    const report = await startBench({ quick: true });
    assert.equal(report.name, "start");
    const names = Object.keys(report.figures);
    for (const name of ["coppice --version", "coppice --help", "coppice flow plan --help"])
      assert.ok(names.includes(name));
    assert.ok(report.goals.length === 2 && report.goals.every(({ value }) => value > 0));
  });
});
