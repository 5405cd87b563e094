import assert from "node:assert/strict";
import { test } from "node:test";
import { growReal, realSettings, runRootOf } from "../../test/real-tree.ts";
import { SmallRepository } from "../../test/small-repository.ts";
import { step } from "../../test/small-run.ts";
import { readTreeView } from "./tree-view.ts";

test("a page's numbers are the manifest's: metrics, scores and cost per step, idea and depth", async () => {
  using repository = new SmallRepository();
  const cost = (money: number) => `echo '{"coppice_usage": {"money": ${money}, "tokens": 10}}'`;
  const steps = {
    implement: step(`cp {idea} value.txt; ${cost(0.3)}`),
    review: step(`echo APPROVE; ${cost(0.1)}`),
  };
  const ideas = { "a.md": "2\n", "b.md": "3\n", "c.md": "0.5\n" };
  const settings = realSettings(repository, ideas, { steps, work: { maxDepth: 2 } });
  const { manifest } = await growReal(repository, settings);
  const { state, nodes, evaluations } = manifest;
  const view = readTreeView(runRootOf(repository, settings));
  assert.deepEqual({ money: view.money, tokens: view.tokens }, state.cost);
  assert.deepEqual(view.costs, state.cost_by_step);
  assert.deepEqual(Object.keys(view.costs), ["implement", "review"]);
  assert.deepEqual(
    view.depthCosts,
    Object.values(state.depth_progress_by_depth).map((depth) => depth.cost),
  );
  const summed = view.depthCosts.reduce((sum, { tokens }) => sum + tokens, 0);
  assert.equal(summed, state.cost.tokens);
  const [root, ...tried] = view.ideas;
  assert.deepEqual(root.metrics, nodes["0000"].metrics);
  assert.deepEqual(
    tried.map(({ id, metrics, money, tokens, costs, score }) => [id, metrics, { money, tokens }, costs, score]),
    Object.values(evaluations).map((evaluation) => [
      evaluation.eval_id,
      evaluation.metrics,
      evaluation.cost,
      evaluation.cost_by_step,
      evaluation.decision.rank_score,
    ]),
  );
  assert.equal(tried[1].why, `promoted because ${nodes["0001"].because}`);
});

test("beside what was measured several times stands what its parent came to then, which is what it was compared with", async () => {
  // Noise of its own for each node, evaluation and repeat.
  const noise = '$(( ($1 * 7 + $(echo "$COPPICE_TREE_NODE$COPPICE_TREE_EVAL_ID" | cksum | cut -c 1-3)) % 9 ))';
  const script = `{ echo config_id,speed; echo "0,$(( $(cat value.txt) + ${noise} ))"; } > "$2"\n`;
  const add = 'sum=$(($(cat value.txt) + $(cat "$1"))); echo $sum > value.txt\n';
  using repository = new SmallRepository({ "value.txt": "100\n", "sweep.sh": script, "add.sh": add });
  const settings = realSettings(
    repository,
    { "a.md": "50\n", "b.md": "120\n" },
    {
      steps: {
        sweep: step("sh sweep.sh {repeat} {results}"),
        implement: step("sh add.sh {idea}"),
      },
      shape: { repeats: 3, maxRepeats: 3, dedupeScope: "accepted" },
      work: { maxDepth: 2 },
    },
  );
  const { manifest } = await growReal(repository, settings);
  const [root, ...tried] = readTreeView(runRootOf(repository, settings)).ideas;
  const compared = tried.map(({ parentMetrics, id }) => {
    const { metrics, parent_relative } = manifest.evaluations[id];
    return Number(metrics.speed) - Number(parent_relative?.primary_delta) - Number(parentMetrics?.speed);
  });
  assert.ok(
    compared.every((difference) => Math.abs(difference) < 1e-9),
    compared.join(),
  );
  assert.deepEqual(tried[0].parentMetrics, root.metrics);
  // Measured again beside its candidates, a node does not come out as it did before.
  const last = tried.at(-1);
  assert.equal(last?.parent, 2);
  assert.notDeepEqual(last?.parentMetrics, tried[1].metrics);
});
