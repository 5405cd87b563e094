import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { candidate, Scripted, until, when } from "../../test/searches.ts";
import { first, go, type Trial, values } from "../../test/trial.ts";
import { RunNotDone } from "./run.ts";

const directory = mkdtempSync(join(tmpdir(), "coppice-driver-"));
after(() => rmSync(directory, { recursive: true, force: true }));

describe("driver: failures", () => {
  it("tries again as often as it may and tells only the last failure", async () => {
    const tries: number[] = [];
    const { result, events } = await go(new Scripted([candidate("flaky"), candidate("bad"), until(2)]), {
      retries: 2,
      evaluate: (value, key, attempt) => {
        if (key === "flaky" && attempt < 2) throw new Error(`try ${attempt}`);
        if (key === "bad") {
          tries.push(attempt);
          throw new TypeError(`try ${attempt}`);
        }
        return value;
      },
    });
    assert.deepEqual(tries, [0, 1, 2]);
    assert.deepEqual(
      result.slice(0, 2).map(([, text]) => text),
      ['{"ok":true,"value":"flaky"}', '{"ok":false,"failure":{"type":"TypeError","message":"try 2"}}'],
    );
    const failed = events.flatMap((event) =>
      event.type === "failed" && event.key === "bad" ? [[event.attempt, event.willRetry]] : [],
    );
    assert.deepEqual(failed, [
      [0, true],
      [1, true],
      [2, false],
    ]);
  });

  it("waits twice as long before each further attempt, and does not try again what cannot be written down", async () => {
    const attempts: { readonly at: number; readonly type: string }[] = [];
    const fail = (name: string) => (_value: unknown, key: string) => {
      if (key === "a") throw Object.assign(new Error("no"), { name });
      return 1;
    };
    for (const [name, count] of [
      ["Error", 4],
      ["ValueRefused", 1],
    ] as const) {
      attempts.length = 0;
      const { events } = await go(new Scripted(candidate("a"), when(1, { kind: "done" })), {
        evaluate: fail(name),
        retries: 3,
        backoffMs: 10,
      });
      for (const event of events)
        if (event.type === "failed") attempts.push({ at: event.at, type: event.failure.type });
      assert.equal(attempts.length, count);
      const [first, last] = [attempts[0], attempts.at(-1)];
      // 10 + 20 + 40 ms; clocks are read in whole milliseconds.
      if (count === 4) assert.ok((last?.at ?? 0) - (first?.at ?? 0) >= 65);
    }
  });

  it("marks a run that was told a timeout or a lost worker as reproducible from its journal only", async () => {
    for (const type of ["Timeout", "TimeoutError", "WorkerLost"]) {
      const { reproducible } = await go(new Scripted([candidate("a"), candidate("bad"), until(2)]), {
        evaluate: (value, key) => {
          if (key === "bad") throw Object.assign(new Error("x"), { name: type });
          return value;
        },
      });
      assert.deepEqual(reproducible, { from: "journal", reason: `${type}: x`, tell: 1 });
    }
  });

  it("marks a run whose search says that a value met a clock", async () => {
    const script = new Scripted([candidate("a"), candidate("late"), until(2)]);
    const search = Object.assign(script, {
      metClock: (value: unknown) => (value === "late" ? "late was cut short after 5 s" : undefined),
    });
    const { reproducible } = await go(search, { evaluate: (value) => value });
    assert.deepEqual(reproducible, { from: "journal", reason: "late was cut short after 5 s", tell: 1 });
  });

  it("counts a value that the search refuses as a failure that is not tried again", async () => {
    const script = new Scripted([candidate("a"), candidate("odd"), until(2)]);
    const search = Object.assign(script, {
      refuses: (value: unknown) => (value === "odd" ? "an even one is needed" : undefined),
    });
    const evaluated: string[] = [];
    const { result } = await go(search, {
      retries: 3,
      evaluate: (value, key) => {
        evaluated.push(key);
        return value;
      },
    });
    assert.deepEqual(evaluated.toSorted(), ["a", "odd"]);
    assert.deepEqual(
      result.map(([, text]) => text),
      [
        '{"ok":true,"value":"a"}',
        '{"ok":false,"failure":{"type":"ValueRefused","message":"the evaluator returned \\"odd\\": an even one is needed"}}',
      ],
    );
  });

  it("stops at the first failure when told to, starts nothing new, and keeps what is finished", async () => {
    const run = join(directory, "stop");
    let broken = true;
    const evaluated: string[] = [];
    const options: Trial = {
      onFailure: "stop",
      lookahead: 4,
      evaluate: (value, key) => {
        evaluated.push(key);
        if (key === "c" && broken) throw new Error("broken");
        return value;
      },
      pooling: { choose: first, maxInFlight: 3 },
    };
    const script = () =>
      new Scripted(
        [..."abcdefgh"].map((key) => candidate(key)),
        until(8),
      );
    await assert.rejects(
      go(script(), { ...options, journal: { directory: run } }),
      (error) =>
        error instanceof RunNotDone &&
        error.end.state === "stopped" &&
        /task 2 \(key "c"\) failed: Error: broken/.test(error.message),
    );
    const before = evaluated.length;
    assert.ok(!evaluated.includes("h"));
    broken = false;
    const resumed = await go(script(), { ...options, journal: { directory: run, resume: true } });
    assert.deepEqual(
      values(resumed.result)
        .slice(0, 8)
        .map(([, value]) => value),
      [..."abcdefgh"],
    );
    const again = evaluated.slice(before);
    assert.deepEqual(
      again.filter((key) => evaluated.slice(0, before).includes(key)),
      ["c"],
    );
    const whole = await go(script(), { ...options });
    assert.equal(resumed.digest, whole.digest);
  });
});
