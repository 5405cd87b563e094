import assert from "node:assert/strict";
import { test } from "node:test";
import { SmallRepository } from "../../test/small-repository.ts";
import { configOf, step } from "../../test/small-run.ts";
import { missingProgram, unfitPlaceholder } from "./check-steps.ts";

test("a program that is not there is named with its step; shell words, paths and placeholders are understood", () => {
  using repository = new SmallRepository({ "value.txt": "1", "tool.sh": "#!/bin/sh\n" });
  repository.git("update-index", "--chmod=+x", "tool.sh");
  const missing = (implement: Parameters<typeof step>[0]) =>
    missingProgram(configOf(repository, { steps: { implement: step(implement) } }), repository.path);
  for (const fine of [
    "cd x && make",
    "if true; then no-such; fi",
    ["sh", "-c", "x"],
    ["{repository}/x"],
    "{idea} x",
    "A=1 no-such",
  ]) {
    assert.equal(missing(fine), undefined, JSON.stringify(fine));
  }
  assert.equal(missing("no-such-agent {idea}"), "steps.implement: command not found: no-such-agent");
  assert.equal(missing(["no-such-agent", "{idea}"]), "steps.implement: command not found: no-such-agent");
  assert.equal(missing("./gone.sh"), "steps.implement: command not found: ./gone.sh");
});

test("a placeholder without a value in this tree is refused: the limit, or what the root's own measurement lacks", () => {
  using repository = new SmallRepository();
  const limited = { sweepConfigLimit: 5, repeats: 1 };
  const sweep = (command: string, baseline: string | null = null) =>
    configOf(repository, { steps: { sweep: step(command) }, config: { baseline } });
  assert.equal(unfitPlaceholder(sweep("run {results} {limit}"), limited), undefined);
  assert.match(
    unfitPlaceholder(sweep("run {results} {limit}"), { ...limited, sweepConfigLimit: null }) ?? "",
    /^steps\.sweep: \{limit\} needs a limit/,
  );
  assert.match(
    unfitPlaceholder(sweep("run {baseline}"), limited) ?? "",
    /^steps\.sweep: \{baseline\} has no value when the root/,
  );
  assert.equal(unfitPlaceholder(sweep("run {baseline} {idea}", "/b.csv"), limited), undefined);
  assert.match(
    unfitPlaceholder(sweep("run {idea}", "/b.csv"), { ...limited, repeats: 5 }) ?? "",
    /^steps\.sweep: \{idea\} has no value when a node is measured again/,
  );
});
