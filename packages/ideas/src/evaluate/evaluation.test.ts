import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { processStart } from "@coppice/engine/child-process";
import { SmallRepository } from "../../test/small-repository.ts";
import { evaluationOf, ideaOf, isAlive, smallRun, step, taskOf, until } from "../../test/small-run.ts";
import type { FailureData } from "../contract.ts";
import { candidateRef, layout } from "../run-layout.ts";
import type { StepFailed } from "../steps/reported-cost.ts";
import { evaluateIdea } from "./evaluation.ts";
import { changedArtifacts } from "./kept-file.ts";
import type { OpenRun } from "./open-run.ts";
import { promote, prune } from "./promotion.ts";

async function failureOf(run: OpenRun, changes: Parameters<typeof taskOf>[0] = {}): Promise<StepFailed> {
  try {
    await evaluateIdea(run, evaluationOf(run, ideaOf(run, "2\n")), taskOf(changes));
  } catch (error) {
    return error as StepFailed;
  }
  throw new Error("the evaluation should have failed");
}

/** Prunes the evaluation and says what is left of it in the repository. */
async function leftAfterPruning(
  repository: SmallRepository,
  run: OpenRun,
  state: "completed" | "failed" = "completed",
) {
  await prune(run, { kind: "prune", depth: 0, evaluations: [{ evalId: "0001", state }] });
  return { branches: repository.branches, worktrees: repository.worktrees, owned: run.belongings.list() };
}

const nothing = { branches: ["main"], worktrees: [], owned: [] };

test("an idea is applied in a worktree of its own, committed, measured and compared; pruning leaves nothing", async () => {
  using repository = new SmallRepository();
  const run = await smallRun(repository);
  const result = await evaluateIdea(run, evaluationOf(run, ideaOf(run, "1.5\n", "--x ü.md")), taskOf());
  assert.equal(repository.git("show", `${candidateRef(run.settings.treeRunId, "0001")}:value.txt`), "1.5");
  assert.equal(repository.git("rev-parse", candidateRef(run.settings.treeRunId, "0001")), result.commit);
  assert.equal(repository.git("show", "--no-patch", "--format=%s", result.commit), "Apply --x ü.md");
  assert.equal(repository.git("status", "--porcelain"), "");
  assert.deepEqual(
    [result.metrics.speed, result.parentRelative.score, result.parentRelative.grade],
    [1.5, 0.5, "strong"],
  );
  assert.deepEqual(result.rootRelative, result.parentRelative);
  assert.deepEqual(result.rounds, [{ round: 0, verdict: "no-review", issues: [] }]);
  assert.deepEqual(
    result.steps.map(({ step, exitCode }) => [step, exitCode]),
    [
      ["implement", 0],
      ["sweep", 0],
    ],
  );
  assert.equal(readFileSync(join(run.runRoot, result.results.path), "utf8"), "config_id,speed\n0,1.5\n");
  assert.deepEqual(await leftAfterPruning(repository, run), nothing);
});

test("T-18: two evaluations at once have nothing in common, and give what each alone gives", async () => {
  using repository = new SmallRepository();
  const run = await smallRun(repository);
  const [one, two] = await Promise.all(
    ["0001", "0002"].map((evalId) =>
      evaluateIdea(run, evaluationOf(run, ideaOf(run, `${evalId}\n`, `${evalId}.md`), evalId), taskOf()),
    ),
  );
  assert.deepEqual([one.metrics.speed, two.metrics.speed], [1, 2]);
  assert.notEqual(one.commit, two.commit);
  const again = await evaluateIdea(run, evaluationOf(run, ideaOf(run, "0002\n", "0002.md"), "0003"), taskOf());
  assert.equal(again.commit, two.commit);
});

test("T-18: what a step does to the files it is lent is nobody else's trouble", async () => {
  using repository = new SmallRepository();
  const implement = step("cp {idea} value.txt; chmod u+w {baseline}; echo spoilt > {baseline}");
  const run = await smallRun(repository, { steps: { implement } });
  for (const evalId of ["0001", "0002"]) {
    const idea = ideaOf(run, `${evalId}.5\n`, `${evalId}.md`);
    const { parentRelative } = await evaluateIdea(run, evaluationOf(run, idea, evalId), taskOf());
    assert.equal(parentRelative.primaryDelta, Number(evalId) - 0.5);
  }
});

test("T-18: a branch of that name which the run did not make is left alone", async () => {
  using repository = new SmallRepository();
  const run = await smallRun(repository);
  repository.git("branch", "tree/small/e0001");
  const failure = await failureOf(run);
  assert.match(failure.message, /a branch tree\/small\/e0001 exists that this run did not make/);
  const left = await leftAfterPruning(repository, run, "failed");
  assert.deepEqual(left, { ...nothing, branches: ["main", "tree/small/e0001"] });
});

test("B20: neither what the steps write to their temporary folder nor what the sweep leaves in the worktree is committed", async () => {
  using repository = new SmallRepository({ "value.txt": "1\n", ".gitignore": "build/\n" });
  const run = await smallRun(repository, {
    steps: {
      implement: step('cp {idea} value.txt; mkdir build; echo x > build/out; echo junk > "$TMPDIR/junk"'),
      sweep: step(
        'echo trace > sweep-trace.txt; cat build/out; { echo config_id,speed; echo "0,$(cat value.txt)"; } > {results}',
      ),
    },
  });
  const result = await evaluateIdea(run, evaluationOf(run, ideaOf(run, "2\n")), taskOf());
  assert.deepEqual(repository.git("ls-tree", "-r", "--name-only", result.commit).split("\n"), [
    ".gitignore",
    "value.txt",
  ]);
});

test("a step that destroys its worktree's link to the repository, or a caller's git variables, never lead to the user's own", async () => {
  using repository = new SmallRepository();
  process.env.GIT_DIR = join(repository.path, ".git");
  process.env.GIT_WORK_TREE = repository.path;
  try {
    // The run's folder is inside the repository, as it is by default.
    const id = "../the repository/.coppice/runs/inside";
    const run = await smallRun(repository, {
      id,
      steps: { implement: step("cp {idea} value.txt; rm .git; git add --all; exit 0") },
    });
    const failure = await failureOf({ ...run, settings: { ...run.settings, treeRunId: "inside" } });
    assert.match(failure.message, /not a git repository/);
  } finally {
    delete process.env.GIT_DIR;
    delete process.env.GIT_WORK_TREE;
  }
  assert.equal(repository.git("diff", "--cached", "--name-only"), "");
  assert.equal(repository.git("status", "--porcelain", "--untracked-files=no"), "");
});

test("T-28: a failed step says what happened, with exit code, the last lines and what was spent", async () => {
  using repository = new SmallRepository();
  const run = await smallRun(repository, {
    steps: { test: step(`echo '{"coppice_usage": {"money": 0.5}}'; echo two failed >&2; exit 7`) },
  });
  const failure = await failureOf(run);
  assert.deepEqual([failure.name, failure.message], ["StepFailed", "test ended with exit code 7"]);
  const expected: FailureData = {
    step: "test",
    round: 0,
    exitCode: 7,
    signal: null,
    logTail: failure.data.logTail,
    errorTail: ["two failed"],
    cost: { money: 0.5, tokens: 0 },
    costs: { test: { money: 0.5, tokens: 0 } },
  };
  assert.deepEqual(failure.data, expected);
  assert.ok(failure.data.logTail.includes("two failed"));
  assert.deepEqual(await leftAfterPruning(repository, run, "failed"), nothing);
});

test("T-27: a time limit ends the evaluation as TimeoutError; a step's own exit code 124 does not", async () => {
  using repository = new SmallRepository();
  const slow = await smallRun(repository, {
    id: "slow",
    steps: { test: step("sleep 600") },
    work: { evalTimeoutMs: 700 },
  });
  const failure = await failureOf(slow);
  // On a busy machine the time may be over before the step is reached.
  assert.ok(["implement", "test"].includes(failure.data.step), failure.data.step);
  assert.equal(failure.name, "TimeoutError");
  assert.equal(failure.message, `the evaluation took longer than its 0.7 s and was ended in ${failure.data.step}`);
  const stepLimit = await smallRun(repository, { id: "limit", steps: { test: step("sleep 600", 100) } });
  assert.equal((await failureOf(stepLimit)).message, "test took longer than its 0.1 s and was ended");
  const own = await smallRun(repository, { id: "own", steps: { test: step("exit 124") } });
  assert.deepEqual((await failureOf(own)).name, "StepFailed");
});

test("T-27: time that runs out between two steps ends the evaluation as TimeoutError before the next", async () => {
  using repository = new SmallRepository();
  const run = await smallRun(repository, { work: { evalTimeoutMs: 1 } });
  const { name, message, data } = await failureOf(run);
  assert.deepEqual([name, data.step], ["TimeoutError", "implement"]);
  assert.equal(message, "the evaluation took longer than its 0.001 s and was ended in implement");
});

test("an evaluation nobody wants any more ends its step and gives no outcome", async () => {
  using repository = new SmallRepository();
  const run = await smallRun(repository, { steps: { test: step("echo $$ > {output}/pid; sleep 600") } });
  const stop = new AbortController();
  const failing = failureOf(run, { signal: stop.signal });
  const pid = join(run.runRoot, layout.evaluation("0001"), "output/pid");
  assert.ok(await until(() => existsSync(pid) && readFileSync(pid, "utf8") !== ""));
  stop.abort();
  assert.equal((await failing).name, "AbortError");
  assert.equal(isAlive(Number(readFileSync(pid, "utf8"))), false);
});

test("commands that are not there are said to be so, shell line or program", async () => {
  using repository = new SmallRepository();
  const line = await smallRun(repository, { id: "line", steps: { implement: step("no-such-agent {idea}") } });
  assert.equal((await failureOf(line)).message, "implement ended with exit code 127 (command not found)");
  const list = await smallRun(repository, { id: "list", steps: { implement: step(["no-such-agent", "{idea}"]) } });
  assert.equal((await failureOf(list)).message, "implement: command not found: no-such-agent");
  const limit = await smallRun(repository, { id: "limit", steps: { implement: step(["agent", "{limit}"]) } });
  assert.equal((await failureOf(limit)).message, "implement: the placeholder {limit} has no value here");
});

test("results that are missing, cut off, without numbers or without the primary column are a failure that says so", async () => {
  using repository = new SmallRepository();
  const sweeps: readonly (readonly [string, RegExp])[] = [
    ["mkdir {results}", /made \{results\} \(eval\/0001\/results\.csv\) a folder; it must be a file/],
    ["true", /wrote no results: \{results\} \(eval\/0001\/results\.csv\) is missing/],
    [
      "printf 'config_id,speed\\n0,1\\n1' > {results}",
      /line 3: 1 fields where the header has 2; the file may be cut off/,
    ],
    ["printf 'config_id,speed\\n0,NaN\\n' > {results}", /holds no finite number in the primary column "speed"/],
    [
      "printf 'config_id,pace\\n0,1\\n' > {results}",
      /lacks the primary column "speed": it has config_id, pace, and score\.primary says which of them counts/,
    ],
  ];
  for (const [i, [line, message]] of sweeps.entries()) {
    const run = await smallRun(repository, { id: `r${i}`, steps: { sweep: step(line) } });
    const failure = await failureOf(run);
    assert.equal(failure.name, "ResultsUnusable");
    assert.match(failure.message, message);
  }
});

test("duplicate and missing configurations are counted against the limit", async () => {
  using repository = new SmallRepository();
  const sweep = step("printf 'config_id,speed\\n0,1\\n0,1\\n' > {results}; test {limit} = 2");
  const run = await smallRun(repository, { steps: { sweep }, limit: 2 });
  const { completeness } = await evaluateIdea(run, evaluationOf(run, ideaOf(run, "2\n")), taskOf());
  assert.deepEqual(completeness, { expected: 2, uniqueIds: 1, ok: 2, errors: 0, complete: false });
});

test("a sweep may print JSON, and a command may do the comparing", async () => {
  using repository = new SmallRepository();
  const run = await smallRun(repository, {
    steps: { sweep: step('echo "{\\"speed\\": $(cat value.txt)}"') },
    config: {
      results: { format: "json", idColumn: "id", errorColumn: null },
      score: { kind: "command", step: step('test -s {baseline}; test -s {results}; echo "{\\"score\\": 0.5}"') },
    },
  });
  const result = await evaluateIdea(run, evaluationOf(run, ideaOf(run, "3")), taskOf());
  assert.deepEqual([result.metrics, result.rootRelative.score], [{ speed: 3 }, 0.5]);
});

test("T-13: an artifact that changed or went away is noticed and named", async () => {
  using repository = new SmallRepository();
  const run = await smallRun(repository);
  const evaluation = evaluationOf(run, ideaOf(run, "2\n"));
  const { results, commit } = await evaluateIdea(run, evaluation, taskOf());
  assert.deepEqual(changedArtifacts(run.runRoot, [results, evaluation.idea]), []);
  const tampered = { ...results, sha256: "0".repeat(64) };
  assert.match(changedArtifacts(run.runRoot, [tampered])[0], /^artifacts\/candidate_eval_0001\.csv has changed since/);
  assert.match(
    changedArtifacts(run.runRoot, [{ path: "artifacts/x.csv", sha256: "" }])[0],
    /^artifacts\/x\.csv is gone/,
  );
  const promotion = {
    kind: "promotion",
    nodeId: "0001",
    depth: 1,
    parentNodeId: "0000",
    evalId: "0001",
    commit,
  } as const;
  await assert.rejects(promote(run, { ...promotion, results: tampered }, taskOf().signal), {
    name: "ArtifactChanged",
  });
  assert.deepEqual(repository.branches, ["main", "tree/small/e0001"]);
});

test("T-12: a step of a crashed attempt that still lives is ended before the evaluation is tried again", async () => {
  using repository = new SmallRepository();
  const run = await smallRun(repository);
  const orphan = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
  const pid = orphan.pid ?? 0;
  run.belongings.claim(
    { kind: "process", pid, pidStart: processStart(pid) ?? "", mark: "gone", step: "test" },
    "e0001",
  );
  writeFileSync(join(run.runRoot, "orphan"), "");
  await evaluateIdea(run, evaluationOf(run, ideaOf(run, "2\n")), taskOf({ attempt: 1 }));
  assert.equal(isAlive(pid), false);
});

test("B15: what a crashed promotion left is in nobody's way; done again it gives the same", async () => {
  using repository = new SmallRepository();
  const run = await smallRun(repository);
  const { results, commit } = await evaluateIdea(run, evaluationOf(run, ideaOf(run, "2\n")), taskOf());
  const task = {
    kind: "promotion",
    nodeId: "0001",
    depth: 1,
    parentNodeId: "0000",
    evalId: "0001",
    commit,
    results,
  } as const;
  const first = await promote(run, task, taskOf().signal);
  // As after a crash between the worktree's folder and its record.
  repository.git("worktree", "remove", "--force", join(run.runRoot, layout.nodeWorktree("0001")));
  repository.write(`../runs/small/${layout.nodeWorktree("0001")}/half`, "x");
  assert.deepEqual(await promote(run, task, taskOf().signal), first);
  assert.equal(readFileSync(join(run.runRoot, layout.nodeWorktree("0001"), "value.txt"), "utf8"), "2\n");
  assert.equal(repository.git("rev-parse", "tree/small/n0001"), commit);
  await assert.rejects(promote(run, { ...task, nodeId: "0002", commit: "1".repeat(40) }, taskOf().signal));
  assert.ok(!repository.branches.includes("tree/small/n0002"));
  assert.ok(!run.belongings.list().some(({ owner }) => owner === "n0002"));
});

test("T-21: what pruning cannot remove is kept on record, and rejected worktrees stay when they are wanted", async () => {
  using repository = new SmallRepository();
  const run = await smallRun(repository, { work: { keepRejectedWorktrees: true } });
  await evaluateIdea(run, evaluationOf(run, ideaOf(run, "2\n")), taskOf());
  const kept = await leftAfterPruning(repository, run);
  assert.deepEqual(kept.branches, ["main", "tree/small/e0001"]);
  assert.deepEqual(
    kept.owned.map(({ name, stays }) => [name, stays]),
    [
      ["branch-e0001", "result"],
      ["worktree-e0001", "result"],
    ],
  );
});
