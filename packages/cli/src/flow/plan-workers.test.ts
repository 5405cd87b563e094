import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { encodeInstance } from "@coppice/airspace";
import { cutDownDay } from "@coppice/airspace/cut-down-day";
import { soak } from "@coppice/engine/soak";
import { coppice, document, ended, launch, temporaryDirectory } from "../../test/coppice.ts";

type Line = Readonly<Record<string, unknown>>;

function withDay(t: TestContext): string {
  const directory = temporaryDirectory(t);
  writeFileSync(join(directory, "day.bin"), encodeInstance(cutDownDay()));
  return directory;
}

/** A log, line by line; empty while it is not there. */
function logOf(directory: string, id: string, name = "run.log"): Line[] {
  const path = join(directory, ".coppice", "runs", id, "logs", name);
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.endsWith("}"))
    .map((line) => JSON.parse(line));
}

const plan = ["flow", "plan", "--instance", "day.bin"];

describe("the workers of a plan search", () => {
  it("F-11, F-22: the run's log has progress of all and a summary of each worker, with the name of its own log", {
    timeout: 300_000,
  }, async (t) => {
    const directory = withDay(t);
    const typed = [...plan, "--evaluations", "900", "--roots", "3", "--workers", "2", "--id", "logged", "--json"];
    const { result } = document(await coppice(directory, typed));
    const log = logOf(directory, "logged");
    const summaries = log.filter(({ event }) => event === "worker-summary");
    assert.deepEqual(summaries.map(({ worker }) => worker).sort(), [0, 1]);
    assert.equal(
      summaries.reduce((sum, { done }) => sum + Number(done), 0),
      3,
    );
    const roots = summaries.flatMap(({ log: name }) => logOf(directory, "logged", String(name)).map(({ msg }) => msg));
    const objectives = (result as { roots: { objective: number }[] }).roots.map(({ objective }) => objective);
    objectives.forEach((objective, root) => {
      const own = roots.filter((msg) => String(msg).startsWith(`root/${root}: `));
      assert.equal(own.length, 1);
      assert.ok(String(own[0]).includes(`J ${objective.toFixed(1)}`), String(own[0]));
    });
    const last = log.filter(({ event }) => event === "progress").at(-1);
    assert.match(String(last?.msg), /3\/3 tasks · 900\/900 evaluations · best /);
    assert.ok(log.some(({ event, state }) => event === "finished" && state === "done"));
  });

  it("F-24: none is left after an interruption, after a failure and after kill -9", {
    timeout: 300_000,
    skip: process.platform === "linux" ? false : "looks into /proc",
  }, async (t) => {
    const directory = withDay(t);
    const long = [
      ...plan,
      "--evaluations",
      "50000000",
      "--roots",
      "2",
      "--workers",
      "2",
      "--pool",
      "processes",
      "--quiet",
    ];
    for (const signal of (["SIGKILL", "SIGTERM", "SIGINT"] as const).slice(0, soak(2, 60))) {
      const child = launch(directory, [...long, "--id", signal], {}, t);
      const end = ended(child);
      const pids = await workersOf(directory, signal);
      assert.equal(pids.length, 2);
      child.kill(signal);
      const { code } = await end;
      assert.equal(code, signal === "SIGKILL" ? null : 130);
      await allGone(pids, signal);
    }
    const failing = [...long, "--timeout", "400ms", "--on-failure", "stop", "--id", "failing"];
    const child = launch(directory, failing, {}, t);
    const end = ended(child);
    const pids = await workersOf(directory, "failing");
    assert.equal((await end).code, 1);
    await allGone(pids, "a failure");
  });

  it("F-23: when every root is lost the command says so and fails, and so does resuming it", {
    timeout: 300_000,
  }, async (t) => {
    const directory = withDay(t);
    const long = [...plan, "--evaluations", "50000000", "--roots", "2"];
    const lost = await coppice(directory, [...long, "--timeout", "200ms", "--quiet"]);
    assert.equal(lost.code, 1);
    assert.match(lost.stdout, /every root failed: .*200 ms/);
    const again = await coppice(directory, ["resume", "1", "--quiet"]);
    assert.deepEqual([again.code, again.stdout], [1, lost.stdout], "resuming it ends the same way");
  });
});

/** Process ids of the workers of a run, once both are ready. */
async function workersOf(directory: string, id: string): Promise<number[]> {
  for (let tries = 0; tries < 3000; tries++) {
    const ready = logOf(directory, id).filter(({ event, state }) => event === "worker" && state === "ready");
    if (ready.length >= 2) return ready.map(({ pid }) => Number(pid));
    await wait(20);
  }
  return assert.fail(`the workers of ${id} did not get ready`);
}

async function allGone(pids: readonly number[], after: string): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (pids.every((pid) => !existsSync(`/proc/${pid}`) || isZombie(pid))) return;
    await wait(20);
  }
  assert.fail(`workers ${pids.join(", ")} still run after ${after}`);
}

function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return true;
  }
}
