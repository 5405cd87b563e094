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
