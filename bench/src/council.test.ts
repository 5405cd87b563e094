import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { onlyInSoak } from "@coppice/engine/soak";
import { councilBench } from "./council.ts";

describe("council benchmark", () => {
  it("C-15: holds the same councils with and without speculation, the early ones faster", {
    ...onlyInSoak(),
    timeout: 300_000,
  }, async () => {
    let report = await councilBench({ quick: true });
    const faster = () => {
      const figure = (name: string): number => report.figures[name]?.value ?? Number.NaN;
      return figure("synthesis a whole round: with") < figure("synthesis a whole round: without");
    };
    // One council of each kind is compared: what else the machine does may slow one of them down, but not again and again.
    for (let tries = 1; tries < 10 && !faster(); tries++) report = await councilBench({ quick: true });
    assert.ok(faster());
    assert.equal(report.goals.find(({ name }) => name === "patterns that agree")?.value, 1);
    assert.equal(report.goals.length, 4);
    assert.ok(report.goals.every(({ value }) => Number.isFinite(value)));
  });
});
