import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { random } from "@coppice/engine/evaluator";
import { usDay } from "../instance/us-day.ts";
import { PlanEvaluator } from "../network/kernel/plan-evaluator.ts";
import type { Regulation } from "../network/regulation.ts";
import { defaultWeights } from "../network/weights.ts";
import { RegulationSampler } from "./regulation-sampler.ts";
import { merged, splitByFlow, splitByTime } from "./split-lines.ts";

const storm = usDay();
const evaluator = new PlanEvaluator(storm, defaultWeights);
evaluator.evaluate([]);
evaluator.keep();
const sampler = new RegulationSampler(storm, evaluator);
const drawn = Array.from({ length: 200 }, (_, draw) => sampler.draw(random(draw))).filter((line) => line !== undefined);
const each = (split: (line: Regulation, draw: number) => Regulation[] | undefined) =>
  drawn.flatMap((line, draw) => {
    const parts = split(line, draw);
    return parts === undefined ? [] : [{ line, parts }];
  });

describe("splitting a line", () => {
  it("by flow gives each flow to one part and shares the rate out", () => {
    const cases = each((line, draw) => splitByFlow(line, sampler, random(draw)));
    assert.ok(cases.length > 50, `${cases.length}`);
    for (const { line, parts } of cases) {
      const [a, b] = parts;
      assert.equal(a.flows & b.flows, 0);
      assert.equal(a.flows | b.flows, line.flows);
      assert.ok(Math.abs(a.ratePerHour + b.ratePerHour - line.ratePerHour) <= 2, "but for rounding");
    }
  });

  it("by time cuts the window, each part at least an hour long", () => {
    const cases = each((line, draw) => splitByTime(line, random(draw)));
    assert.ok(cases.length > 50, `${cases.length}`);
    for (const { line, parts } of cases) {
      const [a, b] = parts;
      assert.deepEqual([a.fromBin, a.toBin, b.toBin], [line.fromBin, b.fromBin, line.toBin]);
      assert.ok(a.toBin - a.fromBin >= 4 && b.toBin - b.fromBin >= 4);
      assert.ok(a.ratePerHour >= 1 && b.ratePerHour >= 1);
    }
  });

  it("is undone by merging, with nearly the same rate", () => {
    for (const { line, parts } of each((line, draw) => splitByTime(line, random(draw)))) {
      const again = merged(parts[0], parts[1], sampler, 4);
      assert.deepEqual({ ...again, ratePerHour: line.ratePerHour }, line);
      assert.ok(Math.abs(again.ratePerHour - line.ratePerHour) <= 1);
    }
  });
});
