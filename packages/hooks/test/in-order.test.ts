import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { describe, it } from "node:test";
import { soak } from "@coppice/engine/soak";
import fc from "fast-check";
import { DrawnProject, drawnList } from "./drawn-list.ts";

/** Answer, exit code and files of a drawn list are the same in stages, one by one, and in a plain loop without us. */
const sameInEveryWay = fc.asyncProperty(drawnList, async (list) => {
  using project = new DrawnProject(list);
  const oneByOne = await project.effect(true);
  assert.deepEqual(await project.effect(false), oneByOne, "in stages and one by one");
  if (list.onBlock === "finish" && project.inListOrder) {
    assert.deepEqual(project.effectOfPlainLoop(), oneByOne, "one by one and in a plain loop");
  }
});

describe("the result of running the list in order", () => {
  it(`is kept for ${soak(12, 2000)} drawn lists that read, write, block, fail, hang and rewrite`, async () => {
    await fc.assert(sameInEveryWay, { numRuns: soak(12, 2000), seed: 20 });
  });

  it(`is kept for ${soak(4, 300)} drawn lists on a loaded machine`, async () => {
    const load = Array.from({ length: 4 }, () => spawn("sh", ["-c", "while :; do :; done"], { stdio: "ignore" }));
    try {
      await fc.assert(sameInEveryWay, { numRuns: soak(4, 300), seed: 21 });
    } finally {
      for (const child of load) child.kill("SIGKILL");
    }
  });
});
