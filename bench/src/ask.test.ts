import assert from "node:assert/strict";
import { test } from "node:test";
import { onlyInSoak } from "@coppice/engine/soak";
import { askBench } from "./ask.ts";

test("coppice bench ask measures batches, many prompts and refusals over real connections", {
  ...onlyInSoak(),
  timeout: 300_000,
}, async () => {
  const { name, figures, goals } = await askBench({ rounds: 1, quick: true });
  assert.equal(name, "ask");
  for (const { value } of Object.values(figures)) assert.ok(Number.isFinite(value) && value >= 0);
  const goal = (wanted: string) => goals.find((each) => each.name === wanted);
  assert.equal(goal("unanswered of many prompts")?.value, 0);
  assert.equal(goal("unanswered under refusals")?.value, 0);
  assert.ok((goal("first character after the server's")?.value ?? Number.NaN) < 5000);
  assert.ok(figures["most requests at once"].value <= 50);
  assert.ok(figures["requests refused in all"].value > 0, "the server refused something");
});
