import assert from "node:assert/strict";
import { test } from "node:test";
import { configDifferences } from "./config-difference.ts";
import { parseTreeFile } from "./tree-file.ts";

const lines = "ideas: { folder: ideas }\nsteps: { implement: ./implement, sweep: ./sweep }\n";
const configOf = (text: string) =>
  parseTreeFile(text.includes("score:") ? text : `${text}score: { command: "true" }\n`, "coppice.tree.yaml").config;

test("T-15: a configuration is the same in any order of its fields, as a run has it on record", () => {
  const config = configOf(lines);
  const recorded = Object.fromEntries(Object.entries(config).reverse()) as unknown as typeof config;
  assert.deepEqual(configDifferences(recorded, config), []);
});

test("T-15: all that changed in a configuration is named as it is written there", () => {
  const config = configOf(lines);
  const swept = { field: "steps.sweep.command", from: "./sweep", to: ["./sweep", "fast"] };
  assert.deepEqual(configDifferences(config, configOf(lines.replace("./sweep", "[./sweep, fast]"))), [swept]);
  const weighed = (weight: number) =>
    configOf(`${lines}score: { primary: a, metrics: [{ column: a, weight: ${weight}, better: higher }] }\n`);
  assert.deepEqual(configDifferences(weighed(1), weighed(2)), [{ field: "score.metrics.0.weight", from: 1, to: 2 }]);
  const both = lines.replace("./sweep", "[./sweep, fast]");
  const review = { field: "review.max_rounds", from: 0, to: 2 };
  assert.deepEqual(configDifferences(config, configOf(`${both}review: { max_rounds: 2 }\n`)), [swept, review]);
  const [tested] = configDifferences(config, configOf(lines.replace("sweep:", "test: npm test, sweep:")));
  assert.deepEqual([tested?.field, tested?.from], ["steps.test", null]);
});
