import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { markedProcesses } from "../../src/child-process/marked-processes.ts";
import { processStart } from "../../src/child-process/process-table.ts";
import { encode } from "../../src/values/encode.ts";
import { soak } from "../soak.ts";
import { itNeeds, type Subject } from "./clause.ts";
import { eventually, Trial } from "./trial.ts";

/** From setup to the end: what a worker is given once, and that nothing is left of it. */
export function living(subject: Subject): void {
  settingUp(subject);
  closing(subject);
  losingTheParent(subject);
}

function settingUp(subject: Subject): void {
  const { makeFactory } = subject;

  /** What a pool says of an evaluator that cannot be used; nothing may be settled. */
  async function brokenBy(evaluator: string, how?: string, setupTimeoutMs = 20_000): Promise<string> {
    await using trial = new Trial(makeFactory, {}, { evaluator, context: encode({ how }), setupTimeoutMs });
    trial.submit(0, { do: "return", value: 0 });
    await eventually(`${evaluator} breaks the pool`, () => trial.broken !== undefined);
    assert.equal(trial.results.size, 0);
    const message = trial.broken?.message ?? "";
    assert.ok(!message.includes("\n"), message);
    await trial.close();
    assert.deepEqual(markedProcesses(trial.token), []);
    return message;
  }

  describe("setting up", () => {
    it("sets up once per worker, and keeps the state for its tasks", async () => {
      await using trial = new Trial(makeFactory, { workers: 1 });
      for (let id = 0; id < 10; id++) trial.submit(id, { do: "describe" });
      const told = (await trial.values(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)) as { evaluated: number }[];
      assert.deepEqual(
        told.map(({ evaluated }) => evaluated),
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      );
      assert.equal(trial.trace("setups").length, 1);
    });

    it("sets up a worker that replaces another anew", async () => {
      await using trial = new Trial(makeFactory, { workers: 1 });
      trial.submit(0, { do: "hang" }, { timeoutMs: 50 });
      await trial.settled(0);
      trial.submit(1, { do: "describe" });
      const [told] = (await trial.values(1)) as { evaluated: number }[];
      assert.equal(told.evaluated, 1);
      assert.equal(trial.trace("setups").length, 2);
    });

    it("gives setup the shared arrays", async () => {
      const numbers = new Float64Array(new SharedArrayBuffer(24));
      numbers.set([1, 2, 3]);
      await using trial = new Trial(makeFactory, {}, { shared: { numbers: numbers.buffer } });
      trial.submit(0, { do: "shared" });
      assert.deepEqual(await trial.values(0), [[1, 2, 3]]);
    });

    it("gives setup what a worker may use of its machine", async () => {
      await using trial = new Trial(makeFactory, {}, { resources: { helpers: 2 } });
      trial.submit(0, { do: "resources" });
      assert.deepEqual(await trial.values(0), [{ helpers: 2 }]);
    });

    itNeeds(subject, ["shares arrays without a copy"], "shares arrays without copying them", async () => {
      const numbers = new Float64Array(new SharedArrayBuffer(16));
      await using trial = new Trial(makeFactory, {}, { shared: { numbers: numbers.buffer } });
      trial.submit(0, { do: "shared", write: 7 });
      assert.deepEqual(await trial.values(0), [[7, 0]]);
      assert.equal(numbers[0], 7);
    });

    it("says in one line which module is missing", async () => {
      assert.match(await brokenBy("no-such-file"), /^evaluator \S*no-such-file\.ts: no such file$/);
    });

    it("says in one line that a module's exports are wrong", async () => {
      assert.match(
        await brokenBy("no-evaluate"),
        /^evaluator \S*no-evaluate\.ts has no default export with an "evaluate" function; write: export default defineEvaluator/,
      );
    });

    it("says in one line why a module cannot be loaded", async () => {
      assert.match(
        await brokenBy("throws-on-import"),
        /^evaluator \S*throws-on-import\.ts cannot be loaded: TypeError: the module itself is wrong \(\S*throws-on-import\.ts:1\)$/,
      );
    });

    it("says in one line why setup failed", async () => {
      assert.match(
        await brokenBy("bad-setup", "throw"),
        /^evaluator \S*bad-setup\.ts: setup failed: RangeError: no such table$/,
      );
    });

    it("says in one line that setup took too long", async () => {
      assert.match(
        await brokenBy("bad-setup", "hang", 150),
        /^evaluator \S*bad-setup\.ts: setup took longer than 150 ms$/,
      );
    });

    itNeeds(subject, ["stops a busy loop"], "stops a setup that loops for ever", async () => {
      assert.match(await brokenBy("bad-setup", "spin", 300), /setup took longer than 300 ms$/);
    });

    itNeeds(subject, ["survives the end of a worker"], "gives up when workers keep ending in setup", async () => {
      assert.match(
        await brokenBy("bad-setup", "exit"),
        /^evaluator \S*bad-setup\.ts: 3 workers ended before their first task \(.*exit code 5\)$/,
      );
    });
  });
}

function closing(subject: Subject): void {
  const { makeFactory } = subject;

  describe("closing", () => {
    it("lets what runs finish, forgets what waits, and tears down", async () => {
      await using trial = new Trial(makeFactory, { workers: 1, chunk: 1 });
      trial.submit(0, { do: "sleep", ms: 200, value: "finished" });
      trial.submit(1, { do: "return", value: 1 });
      await trial.until("task 0 runs", () => trial.started.length === 1);
      const closed = trial.pool.close(20_000);
      assert.throws(() => trial.submit(2, { do: "return", value: 2 }), /closed/);
      await Promise.all([closed, trial.pool.close(20_000)]);
      assert.deepEqual(await trial.values(0), ["finished"]);
      assert.equal(trial.results.size, 1);
      assert.equal(trial.trace("teardowns").length, 1);
      assert.deepEqual(
        trial.workers.map(({ state }) => state),
        ["ready", "ended"],
      );
    });

    it("tears down every worker, and is silent afterwards", async () => {
      await using trial = new Trial(makeFactory, { workers: 2 });
      const { workers } = trial.pool;
      await trial.until("all workers are ready", () => trial.workers.length === workers);
      await trial.pool.close(20_000);
      assert.equal(trial.trace("teardowns").length, workers);
      const said = JSON.stringify([trial.workers, trial.lines, trial.started]);
      await sleep(50);
      assert.equal(JSON.stringify([trial.workers, trial.lines, trial.started]), said);
    });

    it("does not wait longer than its deadline for a task that hangs", async () => {
      await using trial = new Trial(makeFactory, { workers: 1 });
      trial.submit(0, { do: "hang" });
      await trial.until("task 0 runs", () => trial.started.length === 1);
      await trial.close(50);
      assert.equal(trial.results.size, 0);
      assert.deepEqual(markedProcesses(trial.token), []);
    });

    it("can be hurried by a second close", async () => {
      await using trial = new Trial(makeFactory, { workers: 1 });
      trial.submit(0, { do: "hang" });
      await trial.until("task 0 runs", () => trial.started.length === 1);
      const patient = trial.pool.close(3_600_000);
      await trial.close(0);
      await patient;
    });

    it("closes before its workers have started", async () => {
      await using trial = new Trial(makeFactory, { workers: 2 });
      await trial.close(0);
      assert.deepEqual(markedProcesses(trial.token), []);
    });

    itNeeds(
      subject,
      ["stops a busy loop", "ends the programs a stopped task started"],
      "forces an end at the deadline, with whatever the tasks had started",
      async () => {
        await using trial = new Trial(makeFactory, { workers: 1 });
        trial.submit(0, { do: "spin", file: "tree", children: true });
        await trial.until("the loop runs", () => trial.trace("tree").length > 0);
        const pids = readFileSync(join(trial.directory, "tree.pids"), "utf8").split(" ").map(Number);
        await trial.close(100);
        await eventually("the programs are gone", () => pids.every((pid) => processStart(pid) === undefined));
        assert.deepEqual(markedProcesses(trial.token), []);
      },
    );
  });
}

/** Programs that open the same pool, and what is left when they end. */
function losingTheParent(subject: Subject): void {
  async function parent(mode: "close" | "busy" | "with programs") {
    const directory = mkdtempSync(join(tmpdir(), "coppice-parent-"));
    const token = `parent-${process.pid}-${mode}-${process.hrtime.bigint()}`;
    const program = fileURLToPath(new URL("../pool-parent.ts", import.meta.url));
    const args = [program, subject.module.href, subject.factoryName, token, directory, mode];
    const child = spawn(process.execPath, args, { stdio: "ignore" });
    const exit = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
    return { child, exit, token, directory };
  }

  describe("losing the parent", { concurrency: 3 }, () => {
    it("leaves no handle open: a program ends by itself after close", async () => {
      const { exit, token, directory } = await parent("close");
      assert.deepEqual(await exit, [0, null]);
      assert.deepEqual(markedProcesses(token), []);
      rmSync(directory, { recursive: true, force: true });
    });

    for (const [turn, signal] of (["SIGKILL", "SIGINT", "SIGTERM"] as const).entries()) {
      const dies = async (mode: "busy" | "with programs", tasks: readonly string[]) => {
        const { child, exit, token, directory } = await parent(mode);
        const traces = tasks.map((task) => join(directory, task));
        const begun = (trace: string) => existsSync(trace) && existsSync(`${trace}.pids`);
        await eventually("its tasks run", () => traces.every(begun));
        const pids = traces.map((trace) =>
          readFileSync(`${trace}.pids`, "utf8").split(" ").filter(Boolean).map(Number),
        );
        for (const pid of pids.flat()) assert.notEqual(processStart(pid), undefined);
        child.kill(signal);
        assert.deepEqual(await exit, [null, signal]);
        await eventually("nothing is left in the process table", () => {
          return markedProcesses(token).length === 0 && pids.flat().every((pid) => processStart(pid) === undefined);
        });
        rmSync(directory, { recursive: true, force: true });
        return pids.map(({ length }) => length);
      };

      const skip = turn < soak(1, 30) ? false : "only in a soak";
      it(`leaves no busy worker behind when its process dies of ${signal}`, { skip }, async () => {
        assert.deepEqual(await dies("busy", ["busy"]), [0]);
      });

      const clause = "ends the programs its tasks started when its own process is killed";
      const claim = `leaves no program that a busy or a waiting worker started behind when its process dies of ${signal}`;
      itNeeds(subject, [clause], claim, async (t) => {
        if (skip !== false) return t.skip(skip);
        assert.deepEqual(await dies("with programs", ["busy", "waiting"]), [2, 2]);
      });
    }
  });
}
