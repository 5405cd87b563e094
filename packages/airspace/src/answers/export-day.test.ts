import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { readCsvTable } from "@coppice/engine/files";
import fc from "fast-check";
import { dice } from "../../test/dice.ts";
import { randomInstance } from "../../test/random-instance.ts";
import { randomPlan } from "../../test/random-plan.ts";
import type { Instance } from "../instance/instance.ts";
import type { Plan } from "../network/regulation.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import { defaultWeights } from "../network/weights.ts";
import { readPlanFile } from "../plan/plan-file.ts";
import { delaysJson, delaysText } from "./delays-answer.ts";
import { exportDay, exportedFiles } from "./export-day.ts";

const folder = mkdtempSync(join(tmpdir(), "coppice-export-"));
after(() => rmSync(folder, { recursive: true }));

function drawn(seed: number): { readonly day: Instance; readonly plan: Plan } {
  const day = randomInstance(seed);
  const plan = randomPlan(day, dice(seed)).flatMap((line) => {
    const flows = line.flows & (2 ** day.flowNames[line.volume].length - 1);
    return flows === 0 ? [] : [{ ...line, flows }];
  });
  return { day, plan };
}

describe("exported results", () => {
  it("hold a plan that is the same when read back, in every format", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const { day, plan } = drawn(seed);
        const files = exportedFiles(day, plan, defaultWeights);
        for (const source of ["plan.json", "plan.csv", "plan.geojson"]) {
          assert.deepEqual(readPlanFile({ source, text: files.get(source) ?? "" }, day).plan, plan, source);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("agree with the score: delays flight by flight, loads bin by bin", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const { day, plan } = drawn(seed);
        const files = exportedFiles(day, plan, defaultWeights);
        const { delayMinutes, hourCount } = scoreFromScratch(day, plan, defaultWeights);
        const rows = readCsvTable("delays.csv", files.get("delays.csv") ?? "", ["flight", "delay_minutes"]);
        const listed = new Map(rows.map((row) => [row.text("flight"), row.integer("delay_minutes", 1, 240)]));
        day.flightIds.forEach((id, f) => {
          assert.equal(listed.get(id) ?? 0, delayMinutes[f]);
        });
        const loads = readCsvTable("loads.csv", files.get("loads.csv") ?? "", ["volume", "bin", "with_plan"]);
        assert.deepEqual(
          loads.map((row) => row.integer("with_plan", 0, 1e6)),
          [...hourCount],
        );
      }),
      { numRuns: 15 },
    );
  });

  it("never replace a file unless they are told to", () => {
    const { day, plan } = drawn(3);
    const files = exportedFiles(day, plan, defaultWeights);
    const place = join(folder, "results");
    assert.equal(exportDay(place, files, false).length, files.size);
    writeFileSync(join(place, "plan.csv"), "mine");
    assert.throws(() => exportDay(place, files, false), /UsageError: --out .*plan\.json is there; --force replaces it/);
    assert.equal(readFileSync(join(place, "plan.csv"), "utf8"), "mine");
    exportDay(place, files, true);
    assert.equal(readFileSync(join(place, "plan.csv"), "utf8"), files.get("plan.csv"));
    assert.throws(
      () => exportDay(join(place, "plan.csv"), files, false),
      /UsageError: --out .*cannot be written \(it is a file, not a folder\)/,
    );
  });

  it("refuse tables and maps that are not a plan", () => {
    const { day } = drawn(1);
    const read = (source: string, text: string) => () => readPlanFile({ source, text }, day);
    assert.throws(read("p.csv", "volume,from_bin\n"), /p\.csv has no column to_bin/);
    assert.throws(read("p.csv", "volume,from_bin,to_bin,rate\nV0,3,9,x\n"), /p\.csv line 2: rate "x" is not a number/);
    assert.throws(read("p.csv", "volume,from_bin,to_bin,rate\nV0,a,9,1\n"), /p\.csv line 2: from_bin is "a"/);
    assert.throws(
      read("p.csv", "volume,from_bin,to_bin,rate\nZZ,3,9,1\n"),
      /p\.csv: regulation 1: unknown volume "ZZ"/,
    );
    assert.throws(
      read("p.csv", "volume,from_bin,to_bin,flow,rate\nV0,3,9,x,1\n"),
      /p\.csv: a plan has no column flow; it has/,
    );
    assert.throws(read("p.geojson", "{}"), /p\.geojson: type: /);
    const feature = { properties: { line: 1, volume: "V0", window: [3, 9], rate: 5 } };
    const twice = JSON.stringify({ type: "FeatureCollection", features: [feature, feature] });
    assert.throws(read("p.geojson", twice), /p\.geojson: two features have the same line/);
  });
});

describe("who waits", () => {
  it("adds up: classes, airlines and origins are all of the delayed flights and minutes", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const { day, plan } = drawn(seed);
        const { score, delayMinutes } = scoreFromScratch(day, plan, defaultWeights);
        const delays = delaysJson(day, plan, defaultWeights);
        const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
        assert.equal(sum(delays.histogram.map(({ flights }) => flights)), delays.flights);
        assert.equal(sum(delays.byOrigin.map(({ minutes }) => minutes)), score.delayMinutes);
        assert.equal(delays.minutes, score.delayMinutes);
        // The Gini figure by its definition: the mean difference of every pair over twice the mean.
        const waits = [...delayMinutes].filter((minutes) => minutes > 0);
        const differences = waits.flatMap((a) => waits.map((b) => Math.abs(a - b)));
        const expected = waits.length === 0 ? 0 : sum(differences) / (2 * waits.length * sum(waits));
        assert.ok(Math.abs(delays.fairness.gini - expected) < 1e-9);
        assert.match(delaysText(delays), /flights? waits? [\d,]+ minutes?/);
      }),
      { numRuns: 20 },
    );
  });
});
