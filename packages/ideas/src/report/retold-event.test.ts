import assert from "node:assert/strict";
import { test } from "node:test";
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
