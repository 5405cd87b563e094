import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SmallRepository } from "../../test/small-repository.ts";
import { evaluationOf, ideaOf, type RunChanges, smallRun, step, taskOf } from "../../test/small-run.ts";
import { layout } from "../run-layout.ts";
import type { StepFailed } from "../steps/reported-cost.ts";
import { evaluateIdea } from "./evaluation.ts";

/** Runs one evaluation with this implementation and review; `null` rounds mean it was rejected. */
async function review(implement: string, reviewer: string, policy: RunChanges["config"]) {
  using repository = new SmallRepository();
  const run = await smallRun(repository, {
    steps: { implement: step(implement), review: step(reviewer) },
    config: policy ?? {},
  });
  const logs = (name: string) => readFileSync(join(run.runRoot, layout.evaluationLogs("0001"), name), "utf8");
  try {
    const { rounds } = await evaluateIdea(run, evaluationOf(run, ideaOf(run, "2\n")), taskOf());
    return { rounds, error: undefined, second: rounds.length > 1 ? logs("round-1.issues.txt") : "" };
  } catch (error) {
    return { rounds: undefined, error: error as Error, second: "" };
  }
}

const change = "cp {idea} value.txt; echo {round} >> rounds.txt";
const rounds = (maxRounds: number, proceedOnMaxRounds = false) => ({ review: { maxRounds, proceedOnMaxRounds } });

test("an approved change goes on; the reviewer is given the change", async () => {
  const { rounds: held } = await review(change, "grep -q '^+2' {diff} && echo APPROVE", rounds(2));
  assert.deepEqual(held, [{ round: 0, verdict: "approve", issues: [] }]);
});

test("a rejected change is implemented again with the reviewer's issues, and new wishes do not count", async () => {
  const reviewer =
    "if [ {round} = 0 ]; then printf 'REJECT\\nISSUES:\\n- slow\\nNOTES:\\nx\\n'; else printf 'APPROVE\\nISSUES:\\n- SLOW\\n- new\\n'; fi";
  const { rounds: held, second } = await review(change, reviewer, rounds(1));
  assert.equal(second, "- slow\n");
  assert.deepEqual(held, [
    { round: 0, verdict: "reject", issues: ["- slow"] },
    { round: 1, verdict: "approve", issues: ["- SLOW"] },
  ]);
});

test("when the rounds are used up a change is rejected, or goes on if the policy says so", async () => {
  const { error } = await review(change, "printf 'REJECT\\nISSUES:\\n- slow\\n'", rounds(1));
  assert.deepEqual([error?.name, error?.message], ["Rejected", "the review rejected it in round 2: - slow"]);
  const { rounds: held } = await review(change, "echo no verdict", rounds(0, true));
  assert.deepEqual(held, [{ round: 0, verdict: "unknown", issues: [] }]);
});

test("a change of nothing is rejected without asking, whatever the policy", async () => {
  const { error } = await review("true", "echo APPROVE; touch asked", rounds(1, true));
  assert.deepEqual([error?.name, error?.message], ["Rejected", "the implementation changed no file in round 2"]);
  // There is no log of a review to read.
  assert.equal((error as StepFailed).data.step, "implement");
});

test("after a change of nothing the next round is told so and may still succeed", async () => {
  const late = "if [ {round} = 1 ]; then grep -q 'changed no file' {issues} && cp {idea} value.txt; fi";
  const { rounds: held } = await review(late, "echo APPROVE", rounds(1));
  assert.deepEqual(
    held?.map(({ verdict }) => verdict),
    ["empty-diff", "approve"],
  );
});
