import assert from "node:assert/strict";
import type { Death } from "../evaluators/probe.ts";
import { type Clause, itNeeds, type Subject } from "./clause.ts";
import { Trial } from "./trial.ts";

const deaths: readonly { readonly how: Death; readonly needs: readonly Clause[]; readonly title: string }[] = [
  { how: "exit", needs: [], title: "calls process.exit" },
  { how: "sigkill", needs: ["survives SIGKILL of a worker"], title: "is killed by SIGKILL" },
  { how: "memory", needs: ["has a memory limit per worker"], title: "runs out of memory" },
  { how: "rejection", needs: [], title: "leaves a rejection unhandled" },
  { how: "exception", needs: [], title: "throws where nobody catches" },
];

/** A worker that dies takes one task with it at most, and only three times. */
export function dying(subject: Subject): void {
  const { makeFactory } = subject;
  const options = { workers: 1, memoryMb: 64 };

  for (const { how, needs, title } of deaths) {
    const clauses: Clause[] = ["survives the end of a worker", ...needs];
    itNeeds(subject, clauses, `loses only the task whose worker ${title}, and runs it again`, async () => {
      await using trial = new Trial(makeFactory, { ...options, chunk: 6 });
      for (const id of [0, 1, 3, 4, 5]) trial.submit(id, { do: "return", value: id });
      trial.submit(2, { do: "die", how, once: "died" });
      assert.deepEqual(await trial.values(0, 1, 2, 3, 4, 5), [0, 1, "survived", 3, 4, 5]);
      // Tasks 0 and 1 were done before the death; only SIGKILL may lose what was done but not yet sent.
      if (how !== "sigkill" && how !== "memory") assert.ok(trial.requeued.every(({ id }) => id >= 2));
      const losses = trial.requeued.filter(({ loss }) => loss > 0);
      assert.deepEqual(
        losses.map(({ id, loss }) => [id, loss]),
        [[2, 1]],
      );
      assert.deepEqual(
        trial.workers.map(({ state }) => state),
        ["ready", "ended", "ready"],
      );
    });
  }

  itNeeds(subject, ["survives the end of a worker"], "gives a task up after its third dead worker", async () => {
    await using trial = new Trial(makeFactory, { ...options, chunk: 3 });
    trial.submit(0, { do: "return", value: 0 });
    trial.submit(1, { do: "die", how: "exit" });
    trial.submit(2, { do: "return", value: 2 });
    const [, lost] = await trial.settled(0, 1, 2);
    assert.ok(!lost.ok);
    assert.deepEqual(lost.failure, { type: "WorkerLost", message: "the worker died under this task 3 times" });
    assert.deepEqual([lost.detail.workerLost, lost.detail.timedOut, lost.detail.exitCode], [true, false, 3]);
    assert.ok(lost.detail.logTail?.includes("dying by exit"), "the dead worker's last line");
    assert.deepEqual(await trial.values(0, 2), [0, 2]);
    assert.deepEqual(
      trial.requeued.filter(({ id }) => id === 1).map(({ loss }) => loss),
      [1, 2],
    );
  });

  itNeeds(subject, ["survives the end of a worker"], "says what an uncaught error was", async () => {
    await using trial = new Trial(makeFactory, options);
    trial.submit(0, { do: "die", how: "exception" });
    const [lost] = await trial.settled(0);
    assert.ok(!lost.ok);
    assert.equal(lost.failure.type, "WorkerLost");
    assert.match(lost.detail.stack ?? "", /CustomError: nobody catches\n\s+at .*probe\.ts/);
    assert.match(trial.requeued[0].reason, /uncaught CustomError: nobody catches/);
  });

  itNeeds(
    subject,
    ["survives the end of a worker", "survives SIGKILL of a worker"],
    "replaces a worker that is killed between tasks, and goes on",
    async () => {
      await using trial = new Trial(makeFactory, options);
      await trial.until("the worker is ready", () => trial.workers.length === 1);
      process.kill(trial.workers[0].identity.pid, "SIGKILL");
      await trial.until("another is ready", () => trial.workers.length === 3);
      trial.submit(0, { do: "return", value: 0 });
      assert.deepEqual(await trial.values(0), [0]);
      assert.match(trial.workers[1].reason ?? "", /SIGKILL/);
    },
  );
}
