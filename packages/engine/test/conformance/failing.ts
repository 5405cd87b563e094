import assert from "node:assert/strict";
import { it } from "node:test";
import { itNeeds, type Subject } from "./clause.ts";
import { type Settled, Trial } from "./trial.ts";

type Failed = Extract<Settled, { ok: false }>;

/** What goes wrong inside an evaluation comes back as the same two texts everywhere, with the rest for people. */
export function failing(subject: Subject): void {
  const { makeFactory } = subject;

  async function failures(probes: readonly Parameters<Trial["submit"]>[1][]): Promise<Failed[]> {
    await using trial = new Trial(makeFactory);
    for (const [id, probe] of probes.entries()) trial.submit(id, probe);
    const settled = await trial.settled(...probes.keys());
    await trial.close();
    return settled.map((result) => {
      assert.ok(!result.ok);
      return result;
    });
  }

  it("names an error by its class and message, whatever was thrown", async () => {
    const whats = ["custom", "caused", "string", "object", "undefined", "rejection"] as const;
    const failed = await failures(whats.map((what) => ({ do: "throw", what })));
    assert.deepEqual(
      failed.map(({ failure }) => failure),
      [
        { type: "CustomError", message: "custom message" },
        { type: "TypeError", message: "outer" },
        { type: "Thrown", message: "only text" },
        { type: "Thrown", message: "{ code: 7 }" },
        { type: "Thrown", message: "undefined" },
        { type: "RangeError", message: "rejected" },
      ],
    );
  });

  it("does not take an evaluator's own time-out for one of the pool's", async () => {
    const [{ failure, detail }] = await failures([{ do: "throw", what: "timeout" }]);
    assert.deepEqual(failure, { type: "Error", message: "Timeout: the server was slow" });
    assert.equal(detail.timedOut, false);
  });

  it("keeps the stack, the causes and the error's own data for people", async () => {
    const [{ detail }, { detail: custom }] = await failures([
      { do: "throw", what: "caused" },
      { do: "throw", what: "custom" },
    ]);
    assert.deepEqual(custom.data, { step: "test", exitCode: 3 });
    assert.match(detail.stack ?? "", /TypeError: outer\n\s+at .*probe\.ts/);
    assert.deepEqual(detail.causes, ["CustomError: middle", "inner"]);
    assert.deepEqual([detail.timedOut, detail.workerLost], [false, false]);
  });

  it("refuses values that cannot be written down, in the worker", async () => {
    const whats = ["function", "cycle", "class", "large"] as const;
    const failed = await failures(whats.map((what) => ({ do: "refuse", what })));
    for (const { failure } of failed) assert.equal(failure.type, "ValueRefused");
    assert.match(failed[0].failure.message, /^value is a function/);
    assert.match(failed[1].failure.message, /^value\.self refers back/);
    assert.match(failed[2].failure.message, /^value is a CustomError/);
    assert.match(failed[3].failure.message, /takes 104857602 bytes encoded; the limit is 1000000/);
  });

  it("fails only the task that failed", async () => {
    await using trial = new Trial(makeFactory, { workers: 1, chunk: 5 });
    for (const id of [0, 1, 3, 4]) trial.submit(id, { do: "return", value: id });
    trial.submit(2, { do: "throw", what: "custom" });
    const settled = await trial.settled(0, 1, 2, 3, 4);
    assert.deepEqual(
      settled.map(({ ok }) => ok),
      [true, true, false, true, true],
    );
    assert.deepEqual(trial.requeued, []);
  });

  itNeeds(
    subject,
    ["catches what a task prints"],
    "catches what is printed, says which task printed it, and ends a failure with its tail",
    async () => {
      await using trial = new Trial(makeFactory);
      trial.submit(7, { do: "print", lines: 40 });
      const [result] = await trial.settled(7);
      assert.ok(!result.ok);
      const printed = Array.from({ length: 40 }, (_, i) => `printed ${i}`);
      assert.deepEqual(trial.lines, [...printed, "to stderr", "logged"]);
      assert.deepEqual(
        trial.printers,
        trial.lines.map(() => 7),
      );
      assert.deepEqual(result.detail.logTail, trial.lines.slice(-20));
    },
  );
}
