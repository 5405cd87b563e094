import assert from "node:assert/strict";
import fc from "fast-check";
import { DrawnProject, drawnList } from "./drawn-list.ts";

const [seed, runs, mode] = process.argv.slice(2);
let n = 0,
  blocked = 0,
  looped = 0;
const began = Date.now();
const arb =
  mode === "blind"
    ? drawnList.chain((l) => fc.integer({ min: 30, max: 250 }).map((blindMs) => ({ ...l, blindMs })))
    : drawnList;
await fc.assert(
  fc.asyncProperty(arb, async (list) => {
    using project = new DrawnProject(list);
    const one = await project.effect(true);
    const stages = await project.effect(false);
    n++;
    if (one.exitCode === 2 || /"(block|deny)"|"continue":false/.test(one.stdout)) blocked++;
    assert.deepEqual(stages, one, "stages");
    if (list.onBlock === "finish" && project.inListOrder) {
      looped++;
      assert.deepEqual(project.effectOfPlainLoop(), one, "loop");
    }
    if (n % 50 === 0)
      console.log(n, "blocked", blocked, "with plain loop", looped, Math.round((Date.now() - began) / 1000), "s");
  }),
  { numRuns: Number(runs), seed: Number(seed) },
);
console.log("ok", n, "blocked", blocked, "loop", looped, Math.round((Date.now() - began) / 1000), "s");
