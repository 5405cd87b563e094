import assert from "node:assert/strict";
import { once } from "node:events";
import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { random } from "@coppice/engine";
import { markedProcesses } from "@coppice/engine/child-process";
import { inTurn, soak } from "@coppice/engine/soak";
import { essence, growOn } from "../../test/dry-tree.ts";
import { growElsewhere, growReal, realSettings, runRootOf } from "../../test/real-tree.ts";
import { SmallRepository } from "../../test/small-repository.ts";
import { isAlive, step, until } from "../../test/small-run.ts";
import { Belongings } from "../belongings/belongings.ts";
import type { TreeSettings } from "../settings.ts";
import { resumedTree } from "./recorded-tree.ts";
import { TreeJournal } from "./tree-journal.ts";

/** Counts how often a step was executed per evaluation, in a folder beside the repository. */
const counted = (line: string) => step(`echo x >> {repository}/../count-{evalId}; ${line}`);

function counts(repository: SmallRepository): Record<string, number> {
  const names = readdirSync(repository.folder).filter((name) => name.startsWith("count-"));
  return Object.fromEntries(
    names.map((name) => [name.slice(6), readFileSync(join(repository.folder, name), "utf8").length / 2]),
  );
}

/** Only the nodes a run has promoted may be left of it: their branches, their worktrees. */
function assertOnlyNodes(repository: SmallRepository, id: string, nodes: readonly string[]): void {
  assert.deepEqual(repository.branches, ["main", ...nodes.map((node) => `tree/${id}/n${node}`)]);
  assert.deepEqual(
    repository.worktrees,
    nodes.map((node) => join(repository.folder, "runs", id, "wt", node)),
  );
  const owned = new Belongings(join(repository.folder, "runs", id)).list();
  assert.deepEqual(
    owned.filter(({ stays }) => stays === "work"),
    [],
  );
}

test("T-26: a failing evaluation is executed once and then as often as there are retries, each on record", async () => {
  using repository = new SmallRepository();
  const implement = counted(
    'test "$(cat {repository}/../count-{evalId} | wc -l)" -ge "$(head -c 1 {idea})" && cp {idea} value.txt',
  );
  const settings = realSettings(
    repository,
    { "a.md": "2\n", "b.md": "9\n", "c.md": "1.5\n" },
    { steps: { implement }, work: { evalRetries: 2 } },
  );
  const { manifest } = await growReal(repository, settings);
  assert.deepEqual(counts(repository), { "0001": 2, "0002": 3, "0003": 1 });
  const { "0001": second, "0002": never, "0003": first } = manifest.evaluations;
  assert.deepEqual([second.status, second.attempt, first.attempt], ["completed", 2, 1]);
  assert.deepEqual([never.status, never.error_payload?.attempt, never.error_payload?.max_retries], ["failed", 3, 2]);
  const requeued = manifest.events.filter(({ type }) => type === "scheduler_requeued");
  assert.deepEqual(
    requeued.map(({ details }) => [details.eval_id, details.reason]),
    [
      ["0001", "retry"],
      ["0002", "retry"],
      ["0002", "retry"],
    ],
  );
  assertOnlyNodes(repository, "real", ["0000", "0001"]);
});

test("T-26: a review that rejects has answered: its rounds are the tries it has, and no retry is taken", async () => {
  using repository = new SmallRepository();
  const implement = counted(
    "case {ideaName} in empty.md) ;; broken.md) exit 1 ;; *) cp {idea} value.txt && echo {round} > round ;; esac",
  );
  const review = step("if [ {ideaName} = bad.md ]; then echo REJECT; else echo APPROVE; fi");
  const settings = realSettings(
    repository,
    { "bad.md": "2\n", "broken.md": "4\n", "empty.md": "1\n", "fine.md": "3\n" },
    {
      steps: { implement, review },
      config: { review: { maxRounds: 1, proceedOnMaxRounds: false } },
      work: { evalRetries: 2 },
    },
  );
  const { manifest } = await growReal(repository, settings);
  assert.deepEqual(counts(repository), { "0001": 2, "0002": 3, "0003": 2, "0004": 1 });
  assert.deepEqual(
    Object.values(manifest.evaluations).map(({ attempt, error_payload }) => [attempt, error_payload?.error_type]),
    [
      [1, "Rejected"],
      [3, "StepFailed"],
      [1, "Rejected"],
      [1, undefined],
    ],
  );
  const requeued = manifest.events.filter(({ type }) => type === "scheduler_requeued");
  assert.deepEqual(
    requeued.map(({ details }) => details.eval_id),
    ["0002", "0002"],
  );
  assert.deepEqual(
    Object.values(manifest.evaluations).map(({ review_rounds }) => review_rounds.map(({ verdict }) => verdict)),
    [["reject", "reject"], [], ["empty-diff", "empty-diff"], ["approve"]],
    "what reviewers said is on record, whatever came of it",
  );
});

test("T-27, T-28: an evaluation over its time is a TimeoutError with the step and its last words; its tree is gone", async () => {
  using repository = new SmallRepository();
  const hang = step(
    "if [ {ideaName} = hang.md ]; then echo $$ > {repository}/../pid; echo about to hang; setsid sleep 600 & sleep 600; fi; exit 0",
  );
  const settings = realSettings(
    repository,
    { "fine.md": "2\n", "hang.md": "3\n", "own.md": "4\n" },
    { steps: { test: hang }, work: { parallelBackend: "processes", maxParallelEvals: 3, evalTimeoutMs: 6000 } },
  );
  const { manifest, end } = await growReal(repository, settings);
  const payload = manifest.evaluations["0002"].error_payload;
  assert.deepEqual(
    { ...payload, log_tail: payload?.log_tail.at(-1) },
    {
      error_type: "TimeoutError",
      message: "the evaluation took longer than its 6 s and was ended in test",
      attempt: 1,
      max_retries: 0,
      will_retry: false,
      timed_out: true,
      exit_code: null,
      signal: "SIGTERM",
      step: "test",
      log_tail: "about to hang",
    },
  );
  assert.equal(isAlive(Number(readFileSync(join(repository.folder, "pid"), "utf8"))), false);
  assert.ok(end.state === "done" && end.reproducible.from === "journal");
  assert.deepEqual(
    [manifest.evaluations["0001"].status, manifest.evaluations["0003"].status],
    ["completed", "completed"],
  );
  assertOnlyNodes(repository, "real", ["0000", "0001"]);
});

test("T-12, T-13: after the coordinator is killed nothing of it runs twice: what was finished is kept, what ran is ended first", async () => {
  using repository = new SmallRepository();
  const sweep = counted(
    '{ echo config_id,speed; echo "0,$(cat value.txt)"; } > {results}; if [ {evalId} = 0002 ] && [ ! -e {repository}/../go ]; then echo $$ >> {repository}/../pids; sleep 600; fi',
  );
  const settings = realSettings(
    repository,
    { "a.md": "2\n", "b.md": "3\n" },
    { steps: { sweep }, work: { parallelBackend: "threads" } },
  );
  const coordinator = growElsewhere(repository, settings);
  const pids = join(repository.folder, "pids");
  assert.ok(await until(() => existsSync(pids) && readFileSync(pids, "utf8").endsWith("\n"), 60_000));
  const orphan = Number(readFileSync(pids, "utf8"));
  await sleep(3000); // until somebody watches over it; what is younger is left to the resume
  coordinator.kill("SIGKILL");
  await once(coordinator, "exit");
  assert.ok(await until(() => !isAlive(orphan), 60_000), "a step ends with its coordinator, also with threads");
  repository.write("../go", "");
  const { manifest } = await growReal(repository, settings, { resume: true });
  assert.deepEqual(counts(repository), { "0000": 1, "0001": 1, "0002": 2 });
  assert.deepEqual(
    Object.values(manifest.evaluations).map(({ status }) => status),
    ["completed", "completed"],
  );
  assert.equal(manifest.evaluations["0002"].attempt, 1, "an interrupted attempt is none");
  assertOnlyNodes(repository, "real", ["0000", "0001"]);
});

test("a resumed tree reads its journal once, and after that only what is new", async (t) => {
  using repository = new SmallRepository();
  const settings = realSettings(repository, { "a.md": "2\n" }, { work: { parallelBackend: "inline" } });
  await growReal(repository, settings);
  const runRoot = runRootOf(repository, settings);
  const reads = readsFromTheStart(t, join(runRoot, "journal.ndjson"));
  const tree = resumedTree(runRoot, { choices: { maxDepth: 2 } });
  const { manifest } = await growOn(tree);
  assert.equal(manifest.state.stop_reason, "empty_frontier");
  assert.equal(reads(), 1);
});

/** Counts how often this package reads a file from its first byte on; the engine reads it for itself. */
function readsFromTheStart(t: TestContext, path: string): () => number {
  const open = new Set<number>();
  let count = 0;
  const { openSync, readSync } = fs;
  t.mock.method(fs, "openSync", (...args: Parameters<typeof openSync>) => {
    const fd = openSync(...args);
    if (args[0] === path) open.add(fd);
    else open.delete(fd);
    return fd;
  });
  t.mock.method(fs, "readSync", (...args: [number, Buffer, number, number, number | null]) => {
    const ours = new Error().stack?.includes("tree-journal.ts") === true;
    if (ours && open.has(args[0]) && args[4] === 0) count++;
    return readSync(...args);
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  return () => count;
}

test("T-13: a run whose results were changed behind its back is not resumed", async () => {
  using repository = new SmallRepository();
  const settings = realSettings(repository, { "a.md": "2\n" });
  await growReal(repository, settings);
  const results = join(runRootOf(repository, settings), "artifacts/candidate_eval_0001.csv");
  chmodSync(results, 0o644);
  writeFileSync(results, "config_id,speed\n0,99\n");
  const resumed = growReal(repository, { ...settings, work: { ...settings.work, maxDepth: 2 } }, { resume: true });
  await assert.rejects(resumed, /artifacts\/candidate_eval_0001\.csv has changed since the run wrote it/);
});

test("T-29: by default one failure costs only itself; a strict run starts nothing more, not even a retry", async () => {
  using repository = new SmallRepository();
  const implement = counted("test {ideaName} != b.md && cp {idea} value.txt");
  const ideas = { "a.md": "2\n", "b.md": "3\n", "c.md": "4\n" };
  const lenient = await growReal(repository, realSettings(repository, ideas, { id: "lenient", steps: { implement } }));
  assert.deepEqual(
    Object.values(lenient.manifest.evaluations).map(({ status }) => status),
    ["completed", "failed", "completed"],
  );
  const strictly = { strictFailDepth: true };
  const strict = await growReal(
    repository,
    realSettings(repository, ideas, { id: "strict", steps: { implement }, work: strictly }),
  );
  assert.equal(strict.end.state, "stopped");
  const [, failed, skipped] = Object.values(strict.manifest.evaluations);
  assert.deepEqual(
    [failed.error_payload?.error_type, skipped.error_payload?.error_type],
    ["StepFailed", "SkippedAfterFailure"],
  );
  assert.deepEqual(counts(repository), { "0001": 2, "0002": 2, "0003": 1 });
});

test("a full disk is not an idea's fault: the run stops, and goes on when there is room", async () => {
  using repository = new SmallRepository();
  const settings = realSettings(repository, { "a.md": "2\n", "b.md": "3\n" }, { work: { evalRetries: 2 } });
  // Every write to this device says that there is no space.
  const logs = join(runRootOf(repository, settings), "logs/evals/0001");
  const full = growReal(repository, settings, {
    onRun: () => {
      mkdirSync(logs, { recursive: true });
      symlinkSync("/dev/full", join(logs, "implement.log"));
    },
  });
  const { end, manifest } = await full;
  assert.equal(end.state, "stopped");
  assert.match(manifest.state.stop_reason_detail ?? "", /MachineTrouble: cannot write .*implement\.log: ENOSPC/);
  assert.equal(manifest.state.stop_reason, "error");
  rmSync(join(logs, "implement.log"));
  const again = await growReal(repository, settings, { resume: true });
  assert.deepEqual(
    Object.values(again.manifest.evaluations).map(({ status, attempt }) => [status, attempt]),
    [
      ["completed", 1],
      ["completed", 1],
    ],
  );
  assertOnlyNodes(repository, "real", ["0000", "0001"]);
});

test("T-19, T-23: four at once, in processes or threads, give the commits, nodes and digest of one at a time", async () => {
  using repository = new SmallRepository();
  const ideas = Object.fromEntries(["1.1", "1.4", "x"].map((text, i) => [`${i}.md`, `${text}\n`]));
  const shape = { beamWidth: 2 };
  const implement = step(
    'if [ "$(cat {idea})" = x ]; then exit 1; fi; echo "$(cat value.txt) * $(cat {idea})" | bc -l > next; mv next value.txt',
  );
  const grown = await Promise.all(
    ["inline", ...inTurn(["processes", "threads"], 0)].map((parallelBackend, i) => {
      const work = { maxDepth: 2, maxParallelEvals: i === 0 ? 1 : 4, parallelBackend };
      return growReal(repository, realSettings(repository, ideas, { id: `p${i}`, steps: { implement }, shape, work }));
    }),
  );
  const [first] = grown;
  assert.equal(Object.keys(first.manifest.nodes).length, 5);
  for (const tree of grown) {
    assert.deepEqual(essence(tree), essence(first));
    assert.deepEqual(tree.end, first.end);
  }
  assert.equal(repository.git("status", "--porcelain"), "");
});

const KILLS = soak(1, 100);

test(`T-37: killed at ${KILLS} random moments and resumed, real trees come out the same, do nothing twice that is journaled, and leave nothing behind`, async (t) => {
  using repository = new SmallRepository();
  const ideas = { "a.md": "2\n", "b.md": "3\n", "c.md": "x\n", "d.md": "1.5\n" };
  // One idea leaves a process behind, in a session of its own.
  const implement = step(
    'echo x >> "$COPPICE_TREE_OUTPUT/../count"; setsid sleep 600 & test "$(cat {idea})" != x && cp {idea} value.txt && echo {evalId} > by.txt',
  );
  const work = { maxDepth: 2, maxParallelEvals: 3, parallelBackend: "processes" } as const;
  const settingsFor = (id: string) => realSettings(repository, ideas, { id, steps: { implement }, work });
  const whole = await growReal(repository, settingsFor("whole"));
  const moments = random(5).at("kills");
  const redone: string[] = [];
  let [killed, trees] = [0, 0];
  for (; killed < KILLS || trees === 0; trees++) {
    const settings = settingsFor(`killed-${trees}`);
    const mark = crypto.randomUUID();
    for (let code: number | null = null; code !== 0; ) {
      const before = journaledExecutions(repository, settings);
      const size = journalSize(repository, settings);
      const coordinator = growElsewhere(repository, settings, mark);
      const exit = once(coordinator, "exit");
      if (killed < KILLS) {
        // From the first line of this session on: what comes before is the start of Node.
        const began = until(() => journalSize(repository, settings) > size, 60_000);
        await Promise.race([exit, began.then(() => sleep(moments.integer(0, 3000)))]);
        coordinator.kill("SIGKILL");
      }
      [code] = (await exit) as [number | null];
      if (code === null) killed++;
      else assert.equal(code, 0);
      for (const [evalId, count] of before) {
        if (executions(repository, settings, evalId) !== count) redone.push(`${settings.treeRunId} ${evalId}`);
      }
    }
    assert.ok(await until(() => markedProcesses(mark).length === 0), `${markedProcesses(mark)} were left behind`);
    const grown = await growReal(repository, settings, { resume: true });
    assert.deepEqual(essence(grown), essence(whole));
    assert.deepEqual(grown.end, whole.end);
    for (const evalId of Object.keys(grown.manifest.evaluations))
      assert.ok(executions(repository, settings, evalId) > 0);
    assertTreeOfNodes(repository, settings.treeRunId, Object.keys(grown.manifest.nodes).toSorted());
  }
  assert.deepEqual(redone, [], "journaled and done again");
  assertTreeOfNodes(repository, "whole", Object.keys(whole.manifest.nodes).toSorted());
  t.diagnostic(`${killed} kills in ${trees} trees`);
});

/** Of a run among others in the repository, only its nodes' branches and worktrees are left. */
function assertTreeOfNodes(repository: SmallRepository, id: string, nodes: readonly string[]): void {
  assert.deepEqual(
    repository.branches.filter((branch) => branch.startsWith(`tree/${id}/`)),
    nodes.map((node) => `tree/${id}/n${node}`),
  );
  assert.deepEqual(
    repository.worktrees.filter((path) => path.includes(`/runs/${id}/`)).toSorted(),
    nodes.map((node) => join(repository.folder, "runs", id, "wt", node)),
  );
}

/** How often an evaluation was begun, by what its first step has written. */
function executions(repository: SmallRepository, settings: TreeSettings, evalId: string): number {
  const path = join(runRootOf(repository, settings), "eval", evalId, "count");
  return existsSync(path) ? readFileSync(path, "utf8").length / 2 : 0;
}

function journalSize(repository: SmallRepository, settings: TreeSettings): number {
  return statSync(join(runRootOf(repository, settings), "journal.ndjson"), { throwIfNoEntry: false })?.size ?? 0;
}

/** The same for all that the journal has an outcome of. */
function journaledExecutions(repository: SmallRepository, settings: TreeSettings): Map<string, number> {
  const journal = new TreeJournal(runRootOf(repository, settings));
  journal.follow();
  const ended = [...journal.tasks.values()].filter(({ key, final }) => final && key.startsWith("eval/"));
  return new Map(
    ended.map(({ key }) => key.split("/")[3] ?? "").map((id) => [id, executions(repository, settings, id)]),
  );
}
