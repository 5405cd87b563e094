import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isLongSoak } from "@coppice/engine/soak";
import { drySettings, essence, type GrownTree, grow, temporaryFolder } from "../../test/dry-tree.ts";
import { growReal, realSettings, runRootOf } from "../../test/real-tree.ts";
import { ScriptedTree } from "../../test/scripted-tree.ts";
import { SmallRepository } from "../../test/small-repository.ts";
import { step } from "../../test/small-run.ts";
import { allBelongings, neededIds, removeNamed, unneededBelongings } from "../belongings/unneeded.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { mermaid } from "../report/graph-text.ts";
import { summaryText } from "../report/summary-text.ts";
import type { TreeSettings, TreeWork } from "../settings.ts";
import { stateProblems, validateTree } from "../validate/validate-tree.ts";
import { readTreeView } from "../view/tree-view.ts";
import { openTree, readTree } from "./recorded-tree.ts";

/** Ideas are factors of the one value that is measured. */
const ideas = { "a.md": "1.1\n", "b.md": "1.4\n", "c.md": "0.5\n" };

/**
 * A tree of nine evaluations that can be made to stop after the fourth, the first on node 0001: each costs 1 and uses 10
 * tokens, and the fifth fails while there is a file `fail-<id>`.
 */
function factorSettings(repository: SmallRepository, id: string, work: Partial<TreeWork>): TreeSettings {
  const implement = step(
    `echo x >> {repository}/../count-${id}-{evalId}; if [ {evalId} = 0005 ] && [ -e {repository}/../fail-${id} ]; then exit 1; fi; echo '{"money": 1, "tokens": 10}' > {usage}; echo "$(cat value.txt) * $(cat {idea})" | bc -l > next; mv next value.txt`,
  );
  const sweep = step('{ echo config_id,speed; echo "0,$(cat value.txt)"; } > {results}');
  const shape = { beamWidth: 2, dedupeScope: "none" as const };
  return realSettings(repository, ideas, {
    id,
    steps: { implement, sweep },
    shape,
    work: { maxDepth: 2, parallelBackend: "inline", ...work },
  });
}

function provisional(manifest: Manifest) {
  return Object.values(manifest.nodes).filter(({ status }) => status === "provisional");
}

/** What must hold after the fourth of nine evaluations, whatever stopped the run there. */
async function assertReported(
  repository: SmallRepository,
  settings: TreeSettings,
  { manifest }: GrownTree,
): Promise<void> {
  const { state, nodes, evaluations } = manifest;
  const [winner, ...others] = provisional(manifest);
  const { commit, ref_name, idea_chain, parent_node_id, depth, artifacts } = winner;
  assert.deepEqual(others, []);
  assert.deepEqual(
    [winner.node_id, parent_node_id, depth, artifacts.promoted_from_eval_id],
    ["0003", "0001", 2, "0004"],
  );
  assert.deepEqual(idea_chain, ["node_ideas/0000/b.md", "node_ideas/0001/a.md"]);
  assert.equal(commit, evaluations["0004"].candidate_commit);
  assert.equal(repository.git("rev-parse", ref_name), commit);
  assert.match(repository.git("show", `${ref_name}:value.txt`), /^1\.54/);
  const { decision } = evaluations["0004"];
  assert.deepEqual(
    [decision.passed_gate, decision.rank, decision.promotion_reason, decision.promoted_to_node_id],
    [true, 0, "provisional", "0003"],
  );
  assert.deepEqual([state.current_depth, state.frontier_node_ids, state.next_node_id], [1, ["0001", "0002"], 3]);
  assert.deepEqual(state.best_path, ["0000", "0001", "0003"]);
  assert.deepEqual(
    Object.values(nodes).map(({ status }) => status),
    ["ready", "ready", "ready", "provisional"],
  );
  assert.deepEqual(manifest.events.at(-1), {
    ts: decision.promoted_at,
    type: "promotion",
    details: { depth: 1, eval_id: "0004", node_id: "0003", provisional: true, reason: state.stop_reason },
  });
  const lines = readFileSync(join(runRootOf(repository, settings), "logs/run_events.jsonl"), "utf8")
    .trim()
    .split("\n");
  assert.deepEqual(JSON.parse(lines.at(-1) ?? "").payload, manifest.events.at(-1)?.details);
  assert.match(summaryText(manifest), /\| 2 \| 0003 \| 0001 \| a\.md .* \| provisional \|\n/);
  assert.match(
    summaryText(manifest),
    /- 0003 \(rank 0\.54.*, provisional, branch tree\/.*\/e0004\): `b\.md` → `a\.md`/,
  );
  assert.match(mermaid(manifest), /n0001 -\.->\|0004\| n0003\n {2}class n0003 provisional\n/);
  const shown = readTreeView(runRootOf(repository, settings)).ideas.find(({ id }) => id === "0004");
  assert.deepEqual([shown?.fate, shown?.best], ["provisional", true]);
  assert.deepEqual(await validateTree(readTree(runRootOf(repository, settings))), []);
}

test("T-25, B6: a spent budget or a strict stop reports its best so far; a larger one gives the undisturbed tree", {
  concurrency: true,
}, async (t) => {
  using repository = new SmallRepository();
  const whole = await growReal(repository, factorSettings(repository, "whole", {}));
  assert.equal(Object.keys(whole.manifest.evaluations).length, 9);
  const kinds: readonly [id: string, reason: string, small: Partial<TreeWork>, large: Partial<TreeWork>][] = [
    ["evaluations", "max_total_idea_evals_reached", { maxTotalIdeaEvals: 4 }, { maxTotalIdeaEvals: 100 }],
    ["money", "max_cost_reached", { maxMoney: 4 }, { maxMoney: 100 }],
    ["strict", "strict_depth_failure", { strictFailDepth: true }, {}],
  ];
  const stopAndGoOn = ([id, reason, small, large]: (typeof kinds)[number]) =>
    t.test(`T-25: ${id}`, async () => {
      if (id === "strict") repository.write(`../fail-${id}`, "");
      const settings = factorSettings(repository, id, small);
      const stopped = await growReal(repository, settings);
      assert.equal(stopped.manifest.state.stop_reason, reason);
      await assertReported(repository, settings, stopped);
      rmSync(join(repository.folder, `fail-${id}`), { force: true });
      const larger = { ...settings, work: { ...settings.work, ...large } };
      const resumed = await growReal(repository, larger, { resume: true });
      assert.deepEqual(essence(resumed), essence(whole));
      assert.deepEqual(resumed.end, whole.end, "one digest");
      assert.deepEqual(provisional(resumed.manifest), []);
      assert.equal(resumed.manifest.nodes["0003"].artifacts.promoted_from_eval_id, "0005", "the whole depth decides");
      for (const evaluation of ["0001", "0002", "0003", "0004"]) {
        const count = readFileSync(join(repository.folder, `count-${id}-${evaluation}`), "utf8");
        assert.equal(count, "x\n", `${evaluation} was not done again`);
      }
      const own = repository.branches.filter((branch) => branch.startsWith(`tree/${id}/`));
      assert.deepEqual(
        own,
        Object.keys(whole.manifest.nodes).map((node) => `tree/${id}/n${node}`),
      );
    });
  // Two ways to stop every day: money is counted as evaluations are.
  await Promise.all(kinds.filter(([id]) => id !== "money" || isLongSoak()).map(stopAndGoOn));
});

test("T-25: the branch of a provisional node stays while it is reported, and belongs to the run that made it", async () => {
  using repository = new SmallRepository();
  const settings = factorSettings(repository, "kept", { maxTotalIdeaEvals: 4 });
  const { manifest } = await growReal(repository, settings);
  const [{ ref_name, commit }] = provisional(manifest);
  const runRoot = runRootOf(repository, settings);
  const unneeded = unneededBelongings(runRoot, neededIds(settings, openTree(runRoot).journal));
  assert.deepEqual(unneeded, [], "an orderly end leaves nothing behind, and what is reported is not listed");
  await removeNamed(runRoot, settings, unneeded);
  await growReal(repository, settings, { resume: true });
  assert.equal(repository.git("rev-parse", ref_name), commit, "resuming without more to spend keeps it");
  assert.deepEqual(await removeNamed(runRoot, settings, allBelongings(runRoot)), []);
  assert.deepEqual(repository.branches, ["main"]);
  assert.deepEqual(repository.worktrees, []);
  const problems = await validateTree(readTree(runRoot));
  assert.ok(problems.some(({ kind, message }) => kind === "ref_error" && message.includes(ref_name)));
});

test("T-25: without promotion at a stop what finished is judged and ranked, and no node is reported", async (t) => {
  const work = { maxTotalIdeaEvals: 10, promoteOnStop: false };
  const { manifest } = await grow(join(temporaryFolder(t), "run"), drySettings({ work }));
  assert.deepEqual(provisional(manifest), []);
  assert.deepEqual(Object.keys(manifest.nodes), ["0000", "0001", "0002", "0003"]);
  const reasons = Object.values(manifest.evaluations).map(({ decision }) => decision.promotion_reason);
  assert.deepEqual(reasons.slice(7), ["would_be_selected", null, null]);
});

test("T-25: stopped within either depth or between them and resumed, the tree and its digest are the serial ones", async (t) => {
  const whole = await grow(join(temporaryFolder(t), "whole"), drySettings());
  for (const budget of isLongSoak() ? [1, 2, 6, 7, 8, 10, 14, 20, 27] : [1, 7, 10, 27]) {
    const tree = new ScriptedTree(t);
    const { manifest } = await tree.start(drySettings({ work: { maxTotalIdeaEvals: budget } }));
    assert.deepEqual(stateProblems(manifest), [], `${budget}`);
    const passed = Object.values(manifest.evaluations).filter(
      ({ depth, decision }) => depth === manifest.state.current_depth && decision.passed_gate === true,
    );
    assert.equal(provisional(manifest).length, Math.min(3, passed.length), `budget ${budget}`);
    const resumed = await tree.resume({ choices: { maxTotalIdeaEvals: 28 } });
    assert.deepEqual(essence(resumed), essence(whole), `budget ${budget}`);
    assert.deepEqual(resumed.end, whole.end, `budget ${budget}`);
    assert.equal(tree.calls().filter((line) => line.startsWith("+eval")).length, 28);
  }
});

test("T-25: an interrupted run reports no provisional nodes: it is to go on as it was", async (t) => {
  const tree = new ScriptedTree(t, { delayMs: { "eval/0/0000/0003": 60_000 } });
  const evaluator = new URL("../../test/tree-evaluator.ts", import.meta.url);
  const settings = drySettings({ work: { maxParallelEvals: 2, parallelBackend: "threads" } });
  const { manifest } = await grow(tree.runRoot, settings, {
    evaluator,
    onRun: (run) => {
      const missing = new Set(["eval/0/0000/0001", "eval/0/0000/0002"]);
      run.subscribe((event) => {
        if (event.type === "completed" && missing.delete(event.key) && missing.size === 0) run.interrupt("SIGINT");
      });
    },
  });
  assert.equal(manifest.state.stop_reason, "interrupted");
  assert.deepEqual(provisional(manifest), []);
  assert.equal(manifest.evaluations["0001"].decision.promotion_reason, "would_be_selected");
  assert.ok(existsSync(join(tree.runRoot, "TREE_SUMMARY.md")));
});

test("T-25: validation finds provisional nodes that cannot be", async (t) => {
  const { manifest } = await grow(join(temporaryFolder(t), "run"), drySettings({ work: { maxTotalIdeaEvals: 10 } }));
  const [node] = provisional(manifest);
  const wrong = (changed: Partial<typeof node>, state: Partial<Manifest["state"]> = {}) =>
    stateProblems({
      ...manifest,
      state: { ...manifest.state, ...state },
      nodes: { ...manifest.nodes, [node.node_id]: { ...node, ...changed } },
    }).map(({ message }) => message);
  assert.deepEqual(wrong({}), []);
  assert.match(wrong({ depth: 1 }).join(), /provisional node 0004 has depth 1, the run is at depth 1/);
  assert.match(wrong({ commit: "f".repeat(40) }).join(), /provisional node 0004 is not what its evaluation came to/);
  assert.match(wrong({ parent_node_id: "0000" }).join(), /has parent 0000, which is not in the frontier/);
  assert.match(wrong({}, { stop_reason: "max_depth_reached" }).join(), /neither a budget nor a failure has stopped/);
  assert.match(wrong({}, { next_node_id: 5 }).join(), /not counted from 5 without gaps/);
});
