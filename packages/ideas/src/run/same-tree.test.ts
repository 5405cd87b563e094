import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { random } from "@coppice/engine";
import { soak } from "@coppice/engine/soak";
import { drySettings, essence, grow, temporaryFolder } from "../../test/dry-tree.ts";
import { ScriptedTree } from "../../test/scripted-tree.ts";
import { shuffledPool } from "../../test/shuffled-pool.ts";
import { pretend } from "../dry-run/pretend.ts";
import type { TreeWork } from "../settings.ts";
import { manifestOf, readTree } from "./recorded-tree.ts";

const KILLS = soak(2, 100);
const ORDERS = soak(6, 300);

test(`T-23: promotions, node ids and chains are the serial ones for ${ORDERS} random completion orders`, async (t) => {
  const folder = temporaryFolder(t);
  const serial = await grow(join(folder, "serial"), drySettings());
  assert.ok(serial.end.state === "done");
  for (let seed = 0; seed < ORDERS; seed++) {
    const pool = shuffledPool(seed, (task) => pretend(drySettings(), task));
    const shuffled = await grow(join(folder, `${seed}`), drySettings(), { pool });
    assert.deepEqual(essence(shuffled), essence(serial), `seed ${seed}`);
    assert.ok(shuffled.end.state === "done" && shuffled.end.digest === serial.end.digest, `digest of seed ${seed}`);
  }
});

test(`T-37, T-13, B4: killed at ${KILLS} random points and resumed: the same tree, nothing journaled done again`, async (t) => {
  const serial = essence(await grow(join(temporaryFolder(t), "serial"), drySettings()));
  const dice = random(37);
  for (let killed = 0; killed < KILLS; ) {
    const tree = new ScriptedTree(t, { delayMs: { eval: 25, promote: 10, ideas: 10 } });
    for (let code: number | null = null; code !== 0; ) {
      const started = existsSync(tree.runRoot);
      const finished = started ? completed(tree) : new Map<string, number>();
      const { child, exit } = growElsewhere(tree.runRoot);
      if (killed < KILLS) {
        // From the first line of this session on, so that kills are spread over the work and not over the start of Node.
        await sizeAbove(join(tree.runRoot, "journal.ndjson"), started ? tree.journal().bytes : 0, exit);
        await wait(dice.uniform() * 160);
        child.kill("SIGKILL");
      }
      code = await exit;
      if (code !== 0) killed++;
      for (const [key, count] of finished) assert.equal(tree.count(key), count, `${key} was journaled and done again`);
    }
    const manifest = manifestOf(readTree(tree.runRoot));
    assert.equal(manifest.state.stop_reason, "max_depth_reached");
    assert.deepEqual(essence({ manifest }), serial);
    const written: unknown = JSON.parse(readFileSync(join(tree.runRoot, "manifest.json"), "utf8"));
    assert.deepEqual(written, JSON.parse(JSON.stringify(manifest)));
  }
});

test("T-14, B10: an attempt that was cut short takes no retry; a failed one does", async (t) => {
  const key = "eval/0/0000/0001";
  const tree = new ScriptedTree(t, { failing: { [key]: 1 }, delayMs: { [key]: 1500 } });
  const work = { evalRetries: 1, maxDepth: 1, maxParallelEvals: 1, parallelBackend: "processes" as const };
  const { child, exit } = growElsewhere(tree.runRoot, work);
  // The worker may be at it before the journal says so: only what the journal knows was cut short.
  while (tree.count(key) === 0 || tree.journal().tasks.get(key)?.state !== "running") await wait(10);
  child.kill("SIGKILL");
  await exit;
  tree.say({ failing: { [key]: 1 } });
  const { manifest } = await tree.resume();
  const { status, attempt, executions } = manifest.evaluations["0001"];
  assert.deepEqual([status, attempt, executions], ["completed", 2, 3]);
  const reasons = manifest.events
    .filter(({ type, details }) => type === "scheduler_requeued" && details.eval_id === "0001")
    .map(({ details }) => String(details.reason));
  assert.match(reasons[0], /its worker \(pid \d+\) (is gone|was still running and has been ended)/);
  assert.deepEqual(reasons.slice(1), ["retry"]);
});

test("T-14: a retry that was taken before the kill is taken; the attempt that was cut short is made again as it was", async (t) => {
  const key = "eval/0/0000/0001";
  const tree = new ScriptedTree(t, { failing: { [key]: 9 }, delayMs: { [key]: 700 } });
  const work = { evalRetries: 1, maxDepth: 1, maxParallelEvals: 1, parallelBackend: "processes" as const };
  const { child, exit } = growElsewhere(tree.runRoot, work);
  while (tree.count(key) < 2 || tree.journal().tasks.get(key)?.attempt !== 2) await wait(10);
  child.kill("SIGKILL");
  await exit;
  const { manifest } = await tree.resume();
  const { status, attempt, executions } = manifest.evaluations["0001"];
  assert.deepEqual([status, attempt, executions], ["failed", 2, 3]);
});

test("T-03: a task's record says who had it, when, and which attempt it is", async (t) => {
  const tree = new ScriptedTree(t);
  const work = { maxDepth: 1, maxParallelEvals: 2, parallelBackend: "processes" as const };
  const { manifest } = await tree.start(drySettings({ work }));
  for (const task of manifest.state.task_plan_by_depth["0"]) {
    assert.notEqual(task.worker_pid, process.pid);
    assert.ok(Number(task.worker_pid) > 1);
    assert.equal(task.attempt, 1);
    assert.equal(task.task_state, "completed");
    const times = [task.queued_at, task.started_at, task.finished_at];
    assert.deepEqual(times, times.toSorted());
    assert.ok(times.every((time) => typeof time === "string"));
  }
});

/** Grows the tree in a process of its own, which a test may kill. */
function growElsewhere(runRoot: string, work: Partial<TreeWork> = {}) {
  const entry = fileURLToPath(new URL("../../test/killed-tree-entry.ts", import.meta.url));
  const args = ["--disable-warning=ExperimentalWarning", entry, runRoot, JSON.stringify(work)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  return { child, exit: new Promise<number | null>((resolve) => child.on("exit", resolve)) };
}

/** How often each task was called that the journal has an outcome of. */
function completed(tree: ScriptedTree): Map<string, number> {
  const done = [...tree.journal().tasks.values()].filter(({ final }) => final);
  return new Map(done.map(({ key }) => [key, tree.count(key)]));
}

async function sizeAbove(path: string, bytes: number, exit: Promise<unknown>): Promise<void> {
  let ended = false;
  void exit.then(() => {
    ended = true;
  });
  while (!ended && (!existsSync(path) || readFileSync(path).length <= bytes)) await wait(5);
}
