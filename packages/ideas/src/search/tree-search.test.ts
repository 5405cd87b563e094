import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outcome } from "@coppice/engine";
import fc from "fast-check";
import { defaultShape } from "../config/choices.ts";
import type { TreeTask, TreeValue } from "../contract.ts";
import { pretend } from "../dry-run/pretend.ts";
import type { TreeShape } from "../settings.ts";
import { TreeSearch, type TreeSearchOptions } from "./tree-search.ts";

const shape: TreeShape = {
  ...defaultShape,
  repeats: 1,
  ideasPerNode: 7,
  beamWidth: 3,
  sweepConfigLimit: 5,
  dryRun: true,
};

type Answer = (task: TreeTask) => Outcome<TreeValue>;

const dryRun: Answer = (task) => ({ ok: true, value: pretend({ shape }, task) });

function search(changes: Partial<TreeSearchOptions> = {}): TreeSearch {
  return new TreeSearch({
    rootCommit: "c0",
    score: { kind: "command", step: { command: "true", timeoutMs: null, environment: {} } },
    paired: false,
    shapeAt: () => shape,
    maxDepth: 2,
    maxEvaluations: null,
    stopAfterDepths: null,
    again: new Map(),
    ...changes,
  });
}

interface Asked {
  readonly key: string;
  readonly task: TreeTask;
}

/** Drives a search serially, in ask order; gives every task that was asked. */
function grow(tree: TreeSearch, answer: Answer = dryRun): Asked[] {
  const asked: Asked[] = [];
  let told = 0;
  for (;;) {
    const proposal = tree.ask();
    if (proposal.kind === "candidate") asked.push({ key: proposal.key, task: proposal.candidate });
    else if (proposal.kind === "wait") {
      const next = asked[told];
      assert.ok(next !== undefined, "the search waits with nothing outstanding");
      tree.tell(answer(next.task), told++);
    } else return asked;
  }
}

const promotions = (tree: TreeSearch) =>
  tree.result().promotions.map(({ depth, evalId, nodeId }) => `${depth}: ${evalId} -> ${nodeId}`);

const GOLDEN = [
  "0: 0007 -> 0001",
  "0: 0001 -> 0002",
  "0: 0006 -> 0003",
  "1: 0014 -> 0004",
  "1: 0021 -> 0005",
  "1: 0028 -> 0006",
];

test("T-23: the golden dry run promotes 0007, 0001, 0006 and then 0014, 0021, 0028, of 28 evaluations", () => {
  const tree = search();
  grow(tree);
  assert.deepEqual(promotions(tree), GOLDEN);
  assert.equal(tree.result().evaluations, 28);
  assert.equal(tree.result().stopReason, "max_depth_reached");
});

test("T-01, T-35: evaluation ids go by node and path, and all evaluations of a depth are there before its first outcome", () => {
  const asked = grow(search());
  const evaluations = asked.flatMap(({ task }) => (task.kind === "evaluation" ? [task] : []));
  assert.deepEqual(
    evaluations.map(({ evalId }) => Number(evalId)),
    Array.from({ length: 28 }, (_, i) => i + 1),
  );
  assert.deepEqual(
    [...new Set(evaluations.filter(({ depth }) => depth === 1).map(({ parent }) => parent.nodeId))],
    ["0001", "0002", "0003"],
  );
  const kinds = asked.map(({ task }) => `${task.kind}`).join(" ");
  assert.match(
    kinds,
    /^root ideas( evaluation){7}( promotion){3} prune( ideas){3}( evaluation){21}( promotion){3} prune$/,
  );
});

test("T-16: a smaller depth or budget asks a prefix of what a larger one does", () => {
  const whole = grow(search({ maxDepth: 3 })).map(({ key }) => key);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 50 }), (maxDepth, maxEvaluations) => {
      const tree = search({ maxDepth, maxEvaluations });
      const keys = grow(tree).map(({ key }) => key);
      assert.deepEqual(keys, whole.slice(0, keys.length));
      assert.ok(tree.evaluations.size <= maxEvaluations);
    }),
  );
});

test("T-25, B6: a budget that ends inside a depth still judges what finished, and promotes nothing twice later", () => {
  const tree = search({ maxEvaluations: 7 + 10 });
  grow(tree);
  assert.equal(tree.result().stopReason, "max_total_idea_evals_reached");
  assert.equal(tree.evaluations.size, 17);
  assert.equal(tree.decisionOf("0014")?.rank, 0);
  assert.equal(tree.decisionOf("0017")?.reason, "primary_regressed");
  assert.deepEqual(promotions(tree), GOLDEN.slice(0, 3));
});

test("T-24, B15: a promotion that cannot be made gives its place and its node id to the next ranked", () => {
  const tree = search({ maxDepth: 1 });
  grow(tree, (task) =>
    task.kind === "promotion" && task.evalId === "0001"
      ? { ok: false, failure: { type: "GitError", message: "the worktree is in the way" } }
      : dryRun(task),
  );
  assert.deepEqual(promotions(tree), ["0: 0007 -> 0001", "0: 0006 -> 0002", "0: 0004 -> 0003"]);
  assert.deepEqual(
    tree.depths[0].promotions.map(({ evalId, nodeId, error }) => [evalId, nodeId, error]),
    [
      ["0007", "0001", null],
      ["0001", "0002", "GitError: the worktree is in the way"],
      ["0006", "0002", null],
      ["0004", "0003", null],
    ],
  );
});

test("T-29: a failed evaluation does not keep the others from being promoted", () => {
  const tree = search({ maxDepth: 1 });
  grow(tree, (task) =>
    task.kind === "evaluation" && task.evalId === "0007"
      ? { ok: false, failure: { type: "StepFailed", message: "test ended with exit code 1" } }
      : dryRun(task),
  );
  assert.deepEqual(promotions(tree), ["0: 0001 -> 0001", "0: 0006 -> 0002", "0: 0004 -> 0003"]);
  assert.equal(tree.decisionOf("0007")?.reason, "eval_not_completed");
});

test("T-22, B1: depth 0 is judged like any other; nothing passes, nothing is left to expand", () => {
  const tree = search();
  grow(tree, (task) =>
    task.kind === "evaluation" ? { ok: false, failure: { type: "Error", message: "no" } } : dryRun(task),
  );
  assert.equal(tree.result().stopReason, "empty_frontier");
  assert.equal(tree.result().currentDepth, 1);
});

test("T-04: an idea is evaluated once on a node, unless it is asked for again; then the later result counts", () => {
  const pairs = (asked: readonly Asked[]) =>
    asked.flatMap(({ task }) => (task.kind === "evaluation" ? [`${task.parent.nodeId} ${task.idea.path}`] : []));
  const once = pairs(grow(search()));
  assert.equal(new Set(once).size, once.length);

  const again = search({ maxDepth: 1, again: new Map([[0, ["evaluations" as const]]]) });
  grow(again);
  assert.equal(again.evaluations.size, 14);
  assert.equal(again.decisionOf("0007")?.reason, "superseded");
  assert.deepEqual(promotions(again), ["0: 0014 -> 0001", "0: 0008 -> 0002", "0: 0013 -> 0003"]);
});

test("T-05: an idea that is known takes no id and no budget, and is on record", () => {
  const tree = search({ maxDepth: 2 });
  const doubling: Answer = (task) => {
    if (task.kind !== "ideas") return dryRun(task);
    const value = pretend({ shape }, task);
    if (value.kind !== "ideas") throw new Error("unreachable");
    // Every node is given one text of the root again, and one of its own twice.
    const ideas = value.ideas.map((idea, i) =>
      i === 2 ? { ...idea, textHash: "of the root" } : i === 4 ? { ...idea, textHash: value.ideas[3].textHash } : idea,
    );
    return { ok: true, value: { ...value, ideas } };
  };
  grow(tree, doubling);
  const root = tree.nodes.get("0000");
  assert.deepEqual(
    root?.skipped.map(({ idea, reason }) => [idea.name, reason]),
    [["idea_005.md", "twice"]],
  );
  const child = tree.nodes.get("0001");
  assert.deepEqual(
    child?.skipped.map(({ idea, reason }) => [idea.name, reason]),
    [
      ["idea_003.md", "known"],
      ["idea_005.md", "twice"],
    ],
  );
  assert.equal(tree.evaluations.size, 6 + 3 * 5);
  for (const maxEvaluations of [6, 16]) {
    const small = search({ maxDepth: 2, maxEvaluations });
    grow(small, doubling);
    assert.equal(small.evaluations.size, maxEvaluations, "what is skipped is not paid for");
  }
  assert.deepEqual(
    [...tree.evaluations.keys()].map(Number),
    Array.from({ length: 21 }, (_, i) => i + 1),
  );
});

test("a generator is told what its branch accepted and what it tried in vain", () => {
  const asked = grow(search({ maxDepth: 3 }));
  const ideas = asked.flatMap(({ task }) => (task.kind === "ideas" && task.node.depth === 2 ? [task] : []))[0];
  assert.deepEqual(
    ideas?.context.chain.map(({ nodeId, evalId }) => [nodeId, evalId]),
    [
      ["0001", "0007"],
      ["0004", "0014"],
    ],
  );
  assert.equal(ideas?.context.tried.length, 12);
  assert.deepEqual(
    ideas?.context.tried.slice(6).map(({ evalId, reason }) => [evalId, reason]),
    [
      ["0001", "outranked"],
      ["0002", "should_explore_false"],
      ["0003", "primary_regressed"],
      ["0004", "outranked"],
      ["0005", "incomplete_or_failed_rows"],
      ["0006", "outranked"],
    ],
  );
});
