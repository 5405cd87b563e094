import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { drySettings, grow, temporaryFolder } from "../../test/dry-tree.ts";
import type { EvaluationState } from "../search/tree-state.ts";
import { retold } from "./retold-event.ts";

test("a task that waits is called as it will call itself: by its idea, not by its key", () => {
  const evaluations = new Map([["0003", { task: { idea: { name: "cache.md" } } } as EvaluationState]]);
  for (const [key, name] of [
    ["root", "the code as it is"],
    ["ideas/0/0000", "ideas for node 0000"],
    ["eval/0/0000/0003", "cache.md"],
    ["repeat/0/0000/0003/2", "cache.md, repeat 2"],
    ["repeat/0/0000/base/2", "node 0000, repeat 2"],
    ["promote/0/0001/0003", "node 0001 from evaluation 0003"],
    ["prune/0", "removing what was not promoted"],
  ]) {
    const event = retold({ type: "queued", at: 0, ask: 0, key }, "run", { evaluations });
    assert.deepEqual(event.type === "queued" && event.says, [name]);
  }
});

test("what stopped the last session is called by its idea, which a session that begins does not know yet", async (t) => {
  const runRoot = join(temporaryFolder(t), "dry");
  await grow(runRoot, drySettings());
  const said = (key: string) => `the last session stopped: task 3 (key "${key}") failed: MachineTrouble`;
  const reasons = ["1 asked, never finished", said("eval/0/0000/0003"), said("root")];
  const event = { type: "resumed", at: 0, plan: { reused: 1, rerun: 1, reasons } } as const;
  const told = retold(event, runRoot, { evaluations: new Map() });
  assert.deepEqual(told.type === "resumed" && told.plan.reasons, [
    "1 asked, never finished",
    "the last session stopped: idea_003.md (evaluation 0003 on node 0000) failed: MachineTrouble",
    "the last session stopped: the root failed: MachineTrouble",
  ]);
});
