import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { councilBench } from "./council.ts";

describe("council benchmark", () => {
  it("C-15: holds the same councils with and without speculation, the early ones faster", async () => {
    const report = await councilBench({ quick: true });
    const figure = (name: string): number => report.figures[name]?.value ?? Number.NaN;
    assert.ok(figure("synthesis a whole round: with") < figure("synthesis a whole round: without"));
    assert.equal(report.goals.find(({ name }) => name === "patterns that agree")?.value, 1);
    assert.equal(report.goals.length, 4);
    assert.ok(report.goals.every(({ value }) => Number.isFinite(value)));
  });
});
