import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { Run } from "@coppice/engine";
import { drySettings, essence, grow, temporaryFolder } from "../../test/dry-tree.ts";
import { mostAtOnce, ScriptedTree } from "../../test/scripted-tree.ts";
import { stateProblems } from "../validate/validate-tree.ts";

const golden = async (t: Parameters<typeof temporaryFolder>[0]) =>
  essence(await grow(join(temporaryFolder(t), "golden"), drySettings()));

const always = 1000;

test("B5, T-11: ideas that fail for the second node of a depth stop the run; resumed, both nodes are evaluated", async (t) => {
  const tree = new ScriptedTree(t, { failing: { "ideas/1/0002": 1 } });
  const settings = drySettings({ shape: { beamWidth: 2 } });
  const stopped = await tree.start(settings);
  assert.equal(stopped.manifest.state.stop_reason, "idea_generation_failed");
  assert.equal(stopped.end.state, "stopped");
  const resumed = await tree.resume();
  assert.equal(resumed.manifest.state.stop_reason, "max_depth_reached");
  assert.equal(Object.keys(resumed.manifest.evaluations).length, 7 + 14);
  assert.ok(Object.values(resumed.manifest.evaluations).every(({ status }) => status === "completed"));
  const whole = await grow(join(temporaryFolder(t), "whole"), settings);
  assert.deepEqual(essence(resumed), essence(whole));
});

test("T-26, T-28: an evaluation is tried N + 1 times; the payload says how it failed", async (t) => {
  const tree = new ScriptedTree(t, { failing: { "eval/0/0000/0003": always, "eval/0/0000/0005": 2 } });
  const { manifest } = await tree.start(drySettings({ work: { maxDepth: 1, evalRetries: 2 } }));
  assert.equal(tree.count("eval/0/0000/0003"), 3);
  assert.equal(tree.count("eval/0/0000/0005"), 3);
  assert.equal(manifest.evaluations["0005"].status, "completed");
  assert.deepEqual(manifest.evaluations["0003"].error_payload, {
    error_type: "StepFailed",
    message: "no eval/0/0000/0003",
    attempt: 3,
    max_retries: 2,
    will_retry: false,
    timed_out: false,
    exit_code: 3,
    signal: null,
    step: "test",
    log_tail: ["expected 4"],
  });
  const requeued = manifest.events.filter(({ type }) => type === "scheduler_requeued");
  assert.deepEqual(
    requeued.map(({ details }) => details.reason),
    Array.from({ length: 4 }, () => "retry"),
  );
  assert.equal(manifest.state.cost.money, 1.25, "failed attempts have cost something too");
});

test("T-29, B6, B9: a strict stop starts nothing more, tries nothing again, and judges what finished", async (t) => {
  const tree = new ScriptedTree(t, {
    failing: { "eval/0/0000/0002": always, "eval/0/0000/0003": 1 },
    // All three are running when 0002 fails first; others run while it waits to be tried again, and 0003 outlasts that.
    after: { "eval/0/0000/0002": ["eval/0/0000/0001", "eval/0/0000/0003"] },
    delayMs: { eval: 1500, "eval/0/0000/0001": 0, "eval/0/0000/0002": 0, "eval/0/0000/0003": 4500 },
  });
  const work = {
    maxDepth: 1,
    strictFailDepth: true,
    evalRetries: 1,
    maxParallelEvals: 3,
    parallelBackend: "processes" as const,
  };
  const { manifest, end } = await tree.start(drySettings({ work }));
  assert.equal(end.state, "stopped");
  assert.equal(manifest.state.stop_reason, "strict_depth_failure");
  assert.equal(tree.count("eval/0/0000/0003"), 1, "a failure after the stop is not tried again");
  const types = manifest.events.map(({ type, details }) => `${type} ${details.eval_id}`);
  const stop = types.lastIndexOf("scheduler_failed 0002");
  assert.ok(stop > 0 && !types.slice(stop).some((type) => type.startsWith("scheduler_started")), "nothing is started");
  assert.ok(types.slice(stop).includes("scheduler_failed 0003"), "what was running may finish, and is on record");
  const { evaluations } = manifest;
  const idle = Object.values(evaluations).filter(({ executions }) => executions === 0);
  assert.ok(idle.length > 0);
  for (const { error_payload } of idle) assert.equal(error_payload?.error_type, "SkippedAfterFailure");
  assert.equal(evaluations["0001"].decision.passed_gate, true);
  assert.equal(evaluations["0001"].decision.promotion_reason, "provisional");
  assert.equal(evaluations["0002"].decision.gate_reason, "eval_not_completed");
  assert.deepEqual(stateProblems(manifest), []);

  tree.say({});
  const resumed = await tree.resume();
  assert.deepEqual(
    essence(resumed),
    essence(await grow(join(temporaryFolder(t), "whole"), drySettings({ work: { maxDepth: 1 } }))),
  );
  assert.equal(tree.count("eval/0/0000/0001"), 1, "what had finished is not done again");
  const reasons = resumed.manifest.events
    .filter(({ type, details }) => type === "scheduler_requeued" && details.eval_id === "0002")
    .map(({ details }) => details.reason);
  assert.deepEqual(reasons, ["retry", "resumed after the run was stopped"]);
});

test("T-16, B7, B8: raising the budget continues a run that had reached it, with its own unfinished work", async (t) => {
  const tree = new ScriptedTree(t);
  const first = await tree.start(drySettings({ work: { maxTotalIdeaEvals: 10 } }));
  assert.equal(first.manifest.state.stop_reason, "max_total_idea_evals_reached");
  assert.equal(Object.keys(first.manifest.evaluations).length, 10);
  const same = await tree.resume();
  assert.equal(same.manifest.state.stop_reason, "max_total_idea_evals_reached");
  const lower = await tree.resume({ choices: { maxTotalIdeaEvals: 3 } });
  assert.equal(Object.keys(lower.manifest.evaluations).length, 10, "what was begun is not undone");
  const whole = await tree.resume({ choices: { maxTotalIdeaEvals: 100 } });
  assert.deepEqual(essence(whole), await golden(t));
  assert.equal(tree.calls().filter((line) => line.startsWith("+eval")).length, 28);
});

test("T-16: raising the depth continues a finished run; --one-depth grows one at a time", async (t) => {
  const tree = new ScriptedTree(t);
  const first = await tree.start(drySettings({ work: { oneDepth: true } }));
  assert.equal(first.manifest.state.stop_reason, "one_depth");
  assert.equal(Object.keys(first.manifest.evaluations).length, 7);
  const second = await tree.resume({ choices: { oneDepth: true } });
  assert.deepEqual(essence(second).nodes, (await golden(t)).nodes);
  const third = await tree.resume({ choices: { maxDepth: 3 } });
  assert.equal(third.manifest.state.current_depth, 3);
  assert.equal(Object.keys(third.manifest.evaluations).length, 49);
});

test("T-15: search-shaping changes are refused unless forced, and then on record; operational ones are taken", async (t) => {
  const tree = new ScriptedTree(t);
  await tree.start(drySettings());
  await assert.rejects(
    async () => tree.resume({ choices: { beamWidth: 1 } }),
    /run dry was started with --beam-width 3, not 1: .* from depth 2 on with --force/,
  );
  await assert.rejects(
    async () => tree.resume({ choices: { dryRun: false } }),
    /run dry is a dry run, and that cannot change/,
  );
  const operational = await tree.resume({ choices: { maxDepth: 3, evalRetries: 4, evalTimeoutMs: 9000 } });
  assert.equal(operational.manifest.run_config.eval_retries, 4);
  const forced = await tree.resume({ choices: { beamWidth: 1, maxDepth: 4 }, force: true });
  assert.equal(forced.manifest.state.current_depth, 4);
  assert.equal(forced.manifest.state.frontier_node_ids.length, 1);
  const changed = forced.manifest.events
    .filter(({ type }) => type === "settings_changed")
    .map(({ details }) => details.what);
  assert.deepEqual(changed, ["--max-depth", "--eval-retries", "--eval-timeout-seconds", "--beam-width", "--max-depth"]);
});

test("T-07: never more at once than either cap says, and as many as it allows", async (t) => {
  const tree = new ScriptedTree(t, { delayMs: { eval: 300 } });
  const work = { maxParallelEvals: 4, maxParallelPerNode: 2, parallelBackend: "threads" as const };
  const grown = await tree.start(drySettings({ work }));
  assert.deepEqual(essence(grown), await golden(t));
  const calls = tree.calls();
  const ofDepth = (depth: number) => calls.filter((line) => line.startsWith(`eval/${depth}/`, 1));
  assert.equal(
    mostAtOnce(ofDepth(0), () => true),
    2,
    "one node: its own cap",
  );
  assert.equal(
    mostAtOnce(ofDepth(1), () => true),
    4,
    "three nodes: the run's cap",
  );
  for (const node of ["0001", "0002", "0003"]) {
    assert.ok(mostAtOnce(ofDepth(1), (key) => key.startsWith(`eval/1/${node}/`)) <= 2);
  }
});

for (const [what, script, small, large] of [
  ["money", { costMoney: 1 }, { maxMoney: 4 }, { maxMoney: 1000 }],
  ["tokens", { costTokens: 10 }, { maxTokens: 40 }, { maxTokens: 1000 }],
] as const) {
  test(`T-25: ${what} that steps report are counted before the next evaluation is started; more continue the run`, async (t) => {
    const tree = new ScriptedTree(t, script);
    const { manifest, end } = await tree.start(drySettings({ work: small }));
    assert.equal(end.state, "stopped");
    assert.equal(manifest.state.stop_reason, "max_cost_reached");
    const { money, tokens } = manifest.state.cost;
    assert.equal(money + tokens / 10, 4, "the ideas and three evaluations");
    assert.equal(Object.values(manifest.evaluations).filter(({ status }) => status === "completed").length, 3);
    assert.equal(manifest.evaluations["0001"].decision.promotion_reason, "provisional");
    assert.deepEqual(essence(await tree.resume({ choices: large })), await golden(t));
  });
}

test("T-25: a wall-time budget starts nothing after it, in all sessions together; more continues the run", async (t) => {
  const tree = new ScriptedTree(t);
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const secondPerEvaluation = (run: Run<unknown>) => {
    run.subscribe((event) => {
      if (event.type === "completed" && event.key.startsWith("eval/")) t.mock.timers.tick(1000);
    });
  };
  const { manifest } = await tree.start(drySettings({ work: { maxWallMs: 2500 } }), secondPerEvaluation);
  assert.equal(manifest.state.stop_reason, "max_wall_time_reached");
  assert.equal(manifest.state.stop_reason_detail, "max_wall_time_reached: 3.0 s of 2.5 s");
  assert.equal(manifest.evaluations["0001"].decision.promotion_reason, "provisional");
  const evaluated = () => tree.calls().filter((line) => line.startsWith("+eval")).length;
  assert.equal(evaluated(), 3);
  assert.equal((await tree.resume()).manifest.state.stop_reason, "max_wall_time_reached");
  assert.equal(evaluated(), 3);
  assert.deepEqual(essence(await tree.resume({ choices: { maxWallMs: 1_000_000 } })), await golden(t));
});

test("T-04: --rerun-evals evaluates the depth at hand once more; without one there is nothing to rerun", async (t) => {
  const tree = new ScriptedTree(t);
  await tree.start(drySettings({ work: { maxTotalIdeaEvals: 5, maxDepth: 1 } }));
  const again = await tree.resume({ choices: { maxTotalIdeaEvals: 100 }, rerunEvals: true });
  assert.equal(Object.keys(again.manifest.evaluations).length, 14);
  assert.equal(again.manifest.evaluations["0007"].decision.gate_reason, "superseded");
  assert.equal(again.manifest.evaluations["0014"].rerun, 1);
  await assert.rejects(async () => tree.resume({ rerunEvals: true }), /nothing to rerun/);
});

test("B15, T-24: a promotion that fails is replaced by the next ranked, without a gap in node ids", async (t) => {
  const tree = new ScriptedTree(t, { failing: { "promote/0/0002/0001": always } });
  const { manifest } = await tree.start(drySettings({ work: { maxDepth: 1 } }));
  assert.deepEqual(
    Object.values(manifest.nodes).map(({ node_id, artifacts }) => [node_id, artifacts.promoted_from_eval_id]),
    [
      ["0000", null],
      ["0001", "0007"],
      ["0002", "0006"],
      ["0003", "0004"],
    ],
  );
  assert.match(manifest.evaluations["0001"].decision.promotion_error ?? "", /StepFailed/);
  assert.ok(manifest.events.some(({ type }) => type === "promotion_failed"));
});

test("T-32: counters of a depth always add up, and its tasks keep what was completed before a resume", async (t) => {
  const tree = new ScriptedTree(t, { failing: { "eval/0/0000/0004": always } });
  const first = await tree.start(drySettings({ work: { maxTotalIdeaEvals: 6 } }));
  const second = await tree.resume({ choices: { maxTotalIdeaEvals: 100 } });
  for (const { manifest } of [first, second]) {
    for (const p of Object.values(manifest.state.depth_progress_by_depth)) {
      assert.equal(p.queued + p.running + p.completed + p.failed, p.total_tasks);
      assert.equal(p.total_tasks, manifest.state.task_plan_by_depth[p.depth].length);
    }
  }
  assert.equal(second.manifest.state.depth_progress_by_depth["0"].total_tasks, 7);
});
