import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { reportText } from "./report-text.ts";

const report = {
  name: "pool",
  node: "24.0.0",
  cores: 2,
  rounds: 1,
  figures: {
    ours: { value: 4000, unit: "/s" },
    theirs: { value: 1000, unit: "/s" },
    alone: { value: 12.5, unit: "ms" },
  },
  goals: [
    { name: "no-op", value: 4, unit: "×", goal: ">= 1.8", ok: true },
    { name: "10 ms", value: 0.9, unit: "×", goal: ">= 0.95", ok: false },
  ],
  ok: false,
};

describe("a benchmark's table", () => {
  const text = stripVTControlCharacters(reportText(report));

  it("has a bar per figure, as long as its share of the largest of its unit", () => {
    const bars = text.split("\n").map((line) => line.split("█").length - 1);
    assert.deepEqual(bars.slice(2, 5), [24, 6, 0]);
  });

  it("marks goals as met or missed and counts the missed ones", () => {
    assert.match(text, /✓ no-op {2}4 ×, goal >= 1\.8/);
    assert.match(text, /✗ 10 ms {2}0\.9 ×, goal >= 0\.95/);
    assert.match(text, /1 of 2 goals missed$/);
    assert.match(text, /^pool: Node 24\.0\.0, 2 cores, 1 round\n/);
  });

  it("says what a benchmark that was cut down leaves out, and promises no more than that", () => {
    const partial = { ...report, goals: report.goals.slice(0, 1), ok: true, partial: "only 1 of 20 seeds" };
    const lines = stripVTControlCharacters(reportText(partial)).split("\n");
    assert.equal(lines[1], "cut down: only 1 of 20 seeds");
    assert.equal(lines.at(-1), "all goals that were measured are met");
  });

  it("lists attacks with what they did, and why one was not made", () => {
    const harm = { lost: 0, repeated: 2, wrong: 0, left: 0, keys: null };
    const attacks = [
      { name: "kills", summary: "kill -9", tries: 12, ...harm, problems: ["run 3 ran again"] },
      {
        name: "edits",
        summary: "a bit",
        tries: 3,
        lost: null,
        repeated: null,
        wrong: 0,
        left: null,
        keys: null,
        problems: [],
      },
      {
        name: "cuts",
        summary: "no power",
        except: "the last 50 ms",
        tries: 0,
        ...harm,
        problems: [],
        skipped: "there is no strace",
      },
    ];
    const listed = stripVTControlCharacters(reportText({ ...report, attacks })).split("\n");
    assert.deepEqual(listed.slice(2, 9), [
      "attack  tries  lost  repeated  wrong  left",
      "kills      12     0         2      0     0  kill -9",
      "edits       3   n/m       n/m      0   n/m  a bit",
      "cuts        -     -         -      -     -  skipped: there is no strace",
      "n/m: not measured by this attack",
      "kills: run 3 ran again",
      "not promised (cuts): the last 50 ms",
    ]);
  });
});
