import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { growReal, realSettings, runRootOf } from "../../test/real-tree.ts";
import { SmallRepository } from "../../test/small-repository.ts";
import { step } from "../../test/small-run.ts";

/** Every repeat has a disturbance of its own, the same for all. */
const script = `{ echo config_id,speed; echo "0,$(( $(cat value.txt) + $1 * 7 % 4 ))"; } > "$2"\n`;
const sweep = step("sh sweep.sh {repeat} {results}");

test("repeats are tasks like any other: measured in the candidate's worktree, and a tree that was stopped goes on to the same", async () => {
  using repository = new SmallRepository({ "value.txt": "100\n", "sweep.sh": script });
  const ideas = { "a.md": "100\n\n", "b.md": "130\n" };
  const shape = { repeats: 2, maxRepeats: 4, leastGain: 0.01 };
  const whole = realSettings(repository, ideas, { id: "whole", steps: { sweep }, shape });
  const { manifest } = await growReal(repository, whole);
  const { evaluations, nodes, state } = manifest;
  assert.equal(nodes["0001"].because, "speed 101.5 → 131.5 (+30 %, 4 of 4 repeats)");
  assert.deepEqual(
    Object.values(evaluations).map(({ decision, repeats }) => [decision.gate_reason, repeats?.test, repeats?.verdict]),
    [
      ["gain_too_small", "paired", "not_better"],
      [null, "paired", "better"],
    ],
  );
  assert.ok(existsSync(join(runRootOf(repository, whole), "artifacts/repeat_node_0000_1.csv")));
  const stopped = realSettings(repository, ideas, { id: "stopped", steps: { sweep }, shape });
  let told = 0;
  await growReal(repository, stopped, {
    onRun: (run) => run.subscribe((event) => event.type === "completed" && ++told === 6 && run.interrupt("enough")),
  });
  const resumed = await growReal(repository, stopped, { resume: true });
  assert.equal(resumed.manifest.state.digest, state.digest);
});
