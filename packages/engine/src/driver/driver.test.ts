import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type Interleaving, interleaved } from "../../test/interleaved-pool.ts";
import { candidate, type Heard, Scripted, until, when } from "../../test/searches.ts";
import type { RunEvent } from "../contract/event.ts";
import type { Search } from "../contract/search.ts";
import { threads } from "../pools/threads.ts";
import { SearchError } from "./driver.ts";
import { RunNotDone } from "./run.ts";
import { ReplayMismatch } from "./run-record.ts";
import { start } from "./start.ts";
import type { StartOptions } from "./start-options.ts";

const evaluator = new URL("../../test/evaluators/echo.ts", import.meta.url);
const last = (count: number) => count - 1;
const first = () => 0;

let directory = "";
before(() => {
  directory = mkdtempSync(join(tmpdir(), "coppice-driver-"));
});
after(() => rmSync(directory, { recursive: true, force: true }));

type Evaluate = (candidate: unknown, key: string, attempt: number) => unknown;

interface Trial extends Partial<StartOptions<unknown, unknown, Heard>> {
  readonly evaluate?: Evaluate;
  readonly pooling?: Interleaving;
}

async function go(
  search: Search<unknown, unknown, Heard>,
  { evaluate = (value) => value, pooling = { choose: last }, ...options }: Trial = {},
) {
  const run = await start({ search, evaluator, pool: interleaved(evaluate, pooling), backoffMs: 1, ...options });
  const events: RunEvent[] = [];
  run.subscribe((event) => events.push(event));
  return { ...(await run.finished), events };
}

const values = (heard: Heard) => heard.map(([ask, text]) => [ask, (JSON.parse(text) as { value: unknown }).value]);

describe("driver: order", () => {
  it("tells outcomes in the order they were asked, whatever order they arrive in", async () => {
    for (const choose of [first, last]) {
      const { result } = await go(
        new Scripted(
          [..."abcdef"].map((key) => candidate(key)),
          until(6),
        ),
        {
          pooling: { choose },
        },
      );
      assert.deepEqual(
        values(result).slice(0, 6),
        [..."abcdef"].map((key, ask) => [ask, key]),
      );
    }
  });

  it("asks again after every single tell, so that knowledge at the k-th proposal depends on lookahead alone", async () => {
    const seen: number[] = [];
    const spy = (key: string) => (heard: Heard) => {
      seen.push(heard.length);
      return candidate(key);
    };
    const search = new Scripted([..."abcdefgh"].map(spy));
    await go(search, { lookahead: 3, pooling: { choose: last } });
    assert.deepEqual(seen, [0, 0, 0, 1, 2, 3, 4, 5]);
  });

  it("hands out the first candidates before the last is asked for, and tells nothing in between", async () => {
    const keys = Array.from({ length: 100 }, (_, i) => `k${i}`);
    const heardWhenAsked: number[] = [];
    const search = new Scripted(
      keys.map((key) => (heard: Heard) => {
        heardWhenAsked.push(heard.length);
        return candidate(key);
      }),
      until(100),
    );
    const evaluated: number[] = [];
    const onEvaluate = () => evaluated.push(heardWhenAsked.length);
    const { result } = await go(search, { pooling: { choose: last, onEvaluate } });
    assert.deepEqual(heardWhenAsked, Array(100).fill(0), "nobody hears an outcome while it is still being asked");
    assert.ok((evaluated[0] ?? 100) < 100, "the first one waited for the last to be asked");
    assert.deepEqual(
      values(result).slice(0, 100),
      keys.map((key, ask) => [ask, key]),
    );
  });

  it("asks a waiting search again only after a tell, however results trickle in", async () => {
    for (const choose of [first, last]) {
      let asks = 0;
      const search = new Scripted(
        [..."abcdef"].map((key) => candidate(key)),
        when(6, { kind: "done" }),
      );
      const original = search.ask.bind(search);
      Object.assign(search, {
        ask: () => {
          asks++;
          return original();
        },
      });
      await go(search, { pooling: { choose, maxInFlight: 2 } });
      assert.equal(asks, 6 + 1 + 6); // six candidates, one wait, and one more question after each tell
    }
  });

  it("diagnoses a search that waits with nothing outstanding", async () => {
    const search = new Scripted([candidate("a"), until(1), when(99, candidate("never"))]);
    await assert.rejects(
      go(search),
      (error) => error instanceof SearchError && /waits after 2 tells, but nothing is outstanding/.test(error.message),
    );
  });

  it("says which method of a search threw, and where it stood", async () => {
    const throwing = (method: "ask" | "tell" | "result" | "progress") => {
      const search = new Scripted(candidate("a"), candidate("b"), until(2), when(3, { kind: "done" }));
      const original = search.ask.bind(search);
      let asks = 0;
      if (method === "ask") return Object.assign(search, { ask: () => (asks++ < 2 ? original() : fail()) });
      return Object.assign(search, { [method]: fail });
    };
    const fail = () => {
      throw new RangeError("broken search");
    };
    for (const [method, place] of [
      ["ask", "2 asks and 0 tells"],
      ["tell", "2 asks and 1 tells"],
      ["result", "3 asks and 3 tells"],
      ["progress", "3 asks and 2 tells"],
    ] as const) {
      await assert.rejects(
        go(throwing(method)),
        (error) => error instanceof SearchError && error.message === `${method}() threw after ${place}: broken search`,
        method,
      );
    }
  });

  it("aborts what is still out when the search is done", async () => {
    const aborted: string[] = [];
    const script = [candidate("a"), candidate("slow"), when(1, { kind: "done" })] as const;
    const { tells } = await go(new Scripted(script), {
      pooling: { choose: last, holds: (key) => key === "slow", onAbort: (key) => aborted.push(key) },
    });
    assert.equal(tells, 1);
    assert.deepEqual(aborted, ["slow"]);
  });
});

describe("driver: keys", () => {
  it("evaluates a key once and tells its outcome to every ask, in order", async () => {
    let evaluated = 0;
    const { result } = await go(
      new Scripted([candidate("a"), candidate("b"), candidate("a"), until(3), candidate("a")], until(5)),
      {
        pooling: { choose: last, onEvaluate: () => evaluated++ },
      },
    );
    assert.deepEqual(values(result).slice(0, 3), [
      [0, "a"],
      [1, "b"],
      [2, "a"],
    ]);
    assert.deepEqual(values(result)[4], [4, "a"]);
    assert.equal(evaluated, 3); // a, b and the first mark of `until`; the last one is out when the search is done
  });

  it("gives a failed key its failure for ever: trying again needs a new key", async () => {
    let tries = 0;
    const { result } = await go(new Scripted([candidate("bad"), until(1), candidate("bad"), until(3)]), {
      evaluate: (value, key) => {
        if (key !== "bad") return value;
        tries++;
        throw new RangeError("no");
      },
    });
    const failure = '{"ok":false,"failure":{"type":"RangeError","message":"no"}}';
    assert.deepEqual(
      [result[0], result[2]],
      [
        [0, failure],
        [2, failure],
      ],
    );
    assert.equal(tries, 1);
  });
});

describe("driver: withdraw", () => {
  it("frees the slot at once and aborts work that nobody needs", async () => {
    const aborted: string[] = [];
    const script = [
      candidate("a"),
      candidate("b"),
      when(1, { kind: "withdraw", ask: 1 }),
      candidate("c"),
      until(2),
    ] as const;
    const { result, events } = await go(new Scripted(script), {
      pooling: { choose: first, holds: (key) => key === "b", onAbort: (key) => aborted.push(key) },
    });
    assert.deepEqual(
      values(result).map(([ask]) => ask),
      [0, 2],
    );
    assert.deepEqual(aborted, ["b"]);
    assert.ok(events.some((event) => event.type === "cancelled" && event.ask === 1 && event.reason === "withdrawn"));
  });

  it("does not abort work that another unanswered ask needs, nor work that is asked for again at once", async () => {
    const aborted: string[] = [];
    let evaluated = 0;
    const script = [
      candidate("x"),
      candidate("shared"),
      candidate("shared"),
      when(1, { kind: "withdraw", ask: 1 }),
      { kind: "withdraw", ask: 2 },
      candidate("shared"),
      until(2),
    ] as const;
    let held = true;
    const { result } = await go(new Scripted(script), {
      pooling: {
        choose: first,
        holds: (key) => {
          if (key !== "shared") return false;
          const wasHeld = held;
          held = false;
          return wasHeld;
        },
        onAbort: (key) => aborted.push(key),
        onEvaluate: (key) => key === "shared" && evaluated++,
      },
    });
    assert.deepEqual(aborted, []);
    assert.equal(evaluated, 1);
    assert.deepEqual(values(result)[1], [3, "shared"]);
  });

  it("keeps a value that arrives after the abort: journaled, not told, used when the key is asked again", async () => {
    const run = join(directory, "late");
    let evaluated = 0;
    const script = [
      candidate("a"),
      candidate("late"),
      when(1, { kind: "withdraw", ask: 1 }),
      candidate("b"),
      until(2),
      when(3, candidate("late")),
      until(4),
    ] as const;
    let holding = true;
    const { result } = await go(new Scripted(script), {
      journal: { directory: run },
      pooling: {
        choose: first,
        lateValues: true,
        holds: (key) => key === "late" && holding,
        onAbort: () => {
          holding = false;
        },
        onEvaluate: (key) => key === "late" && evaluated++,
      },
    });
    assert.equal(evaluated, 1);
    assert.deepEqual(
      values(result)
        .map(([ask]) => ask)
        .slice(0, 4),
      [0, 2, 3, 4],
    );
    assert.match(readFileSync(join(run, "journal.ndjson"), "utf8"), /"type":"completed".*"key":"late"/);
  });

  it("takes a failure after the abort for no outcome: asked again, it is evaluated again", async () => {
    let tries = 0;
    const search = new Scripted(
      candidate("a"),
      candidate("b"),
      when(1, { kind: "withdraw", ask: 1 }),
      candidate("c"),
      when(2, candidate("b")),
      until(3),
    );
    const { result } = await go(search, {
      evaluate: (value, key) => {
        if (key === "b" && tries++ === 0) throw new Error("was being aborted");
        return value;
      },
      pooling: { choose: first, lateValues: true, holds: (key) => key === "b" && tries === 0 },
    });
    assert.deepEqual(values(result), [
      [0, "a"],
      [2, "c"],
      [3, "b"],
    ]);
    assert.equal(tries, 2);
  });

  it("says that an ask which is not out cannot be withdrawn", async () => {
    for (const ask of [7, -1, 0.5]) {
      await assert.rejects(
        go(new Scripted([candidate("a"), { kind: "withdraw", ask }])),
        /withdraw names ask .* not outstanding/,
      );
    }
    const told = new Scripted([candidate("a"), when(1, { kind: "withdraw", ask: 0 })]);
    await assert.rejects(go(told), /withdraw names ask 0, which is not outstanding/);
  });
});

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

describe("driver: digest", () => {
  it("tells a failure from a value that looks like it", async () => {
    const failure = { type: "Error", message: "x" };
    const script = () => new Scripted(candidate("a"), when(1, { kind: "done" }));
    const failed = await go(script(), {
      evaluate: () => {
        throw new Error("x");
      },
    });
    const returned = await go(script(), { evaluate: () => failure });
    assert.notEqual(failed.digest, returned.digest);
  });
});

describe("driver: stopping a real pool", () => {
  it("starts none of the tasks that still wait in the pool", async () => {
    const run = join(directory, "stop-pool");
    const candidates = Array.from({ length: 60 }, (_, n) => candidate(`k${n}`, { n, mixed: 0 }));
    // The third one fails, for good.
    const context = { noise: 0, longestMs: 0, failOneIn: 1000, flakyOneIn: 0, crashes: undefined };
    const going = await start({
      search: new Scripted(candidates, when(60, { kind: "done" })),
      evaluator: new URL("../../test/evaluators/eventful.ts", import.meta.url),
      context,
      onFailure: "stop",
      pool: threads({ workers: 1, chunk: 1 }),
      journal: { directory: run },
    });
    const events: RunEvent[] = [];
    going.subscribe((event) => events.push(event));
    await assert.rejects(going.finished, RunNotDone);
    const failed = events.findIndex(({ type }) => type === "failed");
    assert.ok(failed >= 0);
    assert.deepEqual(
      events.slice(failed).filter(({ type }) => type === "started"),
      [],
    );
  });
});

describe("driver: values", () => {
  it("tells decode(encode(value)): the search never holds what the evaluator holds", async () => {
    const original = { list: [1, 2], nan: Number.NaN, zero: -0 };
    let told: unknown;
    const search: Search<unknown, unknown, Heard> = {
      ask: () => (told === undefined ? { kind: "candidate", key: "a", candidate: 1 } : { kind: "done" }),
      tell: (outcome) => {
        told = outcome.ok ? outcome.value : undefined;
      },
      result: () => [],
    };
    await go(search, { lookahead: 1, evaluate: () => original });
    assert.deepStrictEqual(told, original);
    assert.notEqual(told, original);
  });

  it("refuses a candidate that cannot be written down, with its ask", async () => {
    const search = new Scripted([candidate("a"), candidate("f", () => 1)]);
    await assert.rejects(go(search), /ask 1 \(key "f"\): the candidate cannot be sent: value is a function/);
  });
});

describe("driver: journal", () => {
  it("has written every outcome before it tells it", async () => {
    const run = join(directory, "before-told");
    const missing: number[] = [];
    let told = 0;
    const search: Search<unknown, unknown, Heard> = {
      ask: () =>
        told < 40
          ? told + 8 > asked
            ? { kind: "candidate", key: `k${asked}`, candidate: asked++ }
            : { kind: "wait" }
          : { kind: "done" },
      tell: (_, ask) => {
        told++;
        if (!readFileSync(join(run, "journal.ndjson"), "utf8").includes(`"ask":${ask},"key":"k${ask}"`))
          missing.push(ask);
      },
      result: () => [],
    };
    let asked = 0;
    await go(search, { journal: { directory: run } });
    assert.equal(told, 40);
    assert.deepEqual(missing, []);
  });

  it("replays from the journal without evaluating anything again, and gives the same digest", async () => {
    const run = join(directory, "replay");
    const script = () =>
      new Scripted(
        [..."abcabd"].map((key) => candidate(key)),
        until(6),
      );
    const whole = await go(script(), { journal: { directory: run } });
    let evaluated = 0;
    const again = await go(script(), {
      journal: { directory: run, resume: true },
      pooling: { choose: last, onEvaluate: () => evaluated++ },
    });
    assert.equal(again.digest, whole.digest);
    assert.deepEqual(again.result, whole.result);
    assert.equal(evaluated, 0);
    const plan = again.events.find((event) => event.type === "resumed");
    assert.deepEqual(plan?.type === "resumed" && plan.plan, { reused: 4, rerun: 0, reasons: [] });
  });

  it("dispatches nothing while the head of the line can be answered from the journal", async () => {
    const run = join(directory, "head");
    const evaluated: string[] = [];
    // First session: a is answered, w is held, and then the run is interrupted.
    const script = () =>
      new Scripted([candidate("a"), candidate("w"), when(1, { kind: "withdraw", ask: 1 }), candidate("b"), until(2)]);
    const held = await start({
      search: script(),
      evaluator,
      journal: { directory: run },
      pool: interleaved((value) => value, { choose: first, holds: (key) => key !== "a" }),
    });
    held.subscribe((event) => {
      if (event.type === "told") setImmediate(() => held.interrupt());
    });
    await assert.rejects(held.finished, RunNotDone);
    // Second session: w is asked again before a is told, but it is withdrawn at once and never evaluated.
    await go(script(), {
      journal: { directory: run, resume: true },
      pooling: { choose: first, onEvaluate: (key) => evaluated.push(key) },
    });
    assert.deepEqual(
      evaluated.filter((key) => key === "w" || key === "a"),
      [],
    );
    assert.ok(evaluated.includes("b"));
  });

  it("stops at the first task that differs from the journal, and names it", async () => {
    const run = join(directory, "mismatch");
    const script = (keys: string) =>
      new Scripted(
        [...keys].map((key) => candidate(key)),
        until(keys.length),
      );
    await go(script("abcd"), { journal: { directory: run } });
    const resume = { journal: { directory: run, resume: true } };
    const differs = (ask: number, text: RegExp) => (error: unknown) =>
      error instanceof ReplayMismatch && error.ask === ask && text.test(error.message);
    await assert.rejects(go(script("abxd"), resume), differs(2, /journal has key "c".*now proposes key "x"/));
    const other = new Scripted([candidate("a"), candidate("b", "other")]);
    await assert.rejects(go(other, resume), differs(1, /another candidate/));
    await assert.rejects(go(new Scripted([candidate("a"), candidate("b")]), resume), differs(2, /now says it is done/));
    // Nothing of that has harmed the run.
    await go(script("abcd"), resume);
  });

  it("refuses to resume with another seed, lookahead or context", async () => {
    const run = join(directory, "shape");
    await go(new Scripted([candidate("a")]), { journal: { directory: run }, context: { a: 1 } });
    const again = (options: Trial) =>
      go(new Scripted([candidate("a")]), { context: { a: 1 }, ...options, journal: { directory: run, resume: true } });
    await assert.rejects(again({ seed: 5 }), /started with seed 0, not 5/);
    await assert.rejects(again({ lookahead: 2 }), /started with lookahead 1024, not 2/);
    await assert.rejects(again({ context: { a: 2 } }), /started with context/);
    await again({});
  });

  it("ends at the time limit with what it knows, and replays to the same tell", async () => {
    const run = join(directory, "time");
    const endless = () => {
      let asked = 0;
      let sum = 0;
      return {
        ask: () => ({ kind: "candidate", key: `k${asked}`, candidate: asked++ }) as const,
        tell: () => {
          sum++;
        },
        result: () => [[sum, `asked ${asked}`]] as Heard,
      };
    };
    const whole = await go(endless(), { lookahead: 4, maxTimeMs: 30, journal: { directory: run } });
    assert.ok(whole.tells > 0);
    assert.equal(whole.reproducible.from, "journal");
    const again = await go(endless(), { lookahead: 4, maxTimeMs: 30, journal: { directory: run, resume: true } });
    assert.equal(again.tells, whole.tells);
    assert.equal(again.digest, whole.digest);
    assert.deepEqual(again.result, whole.result);
    const hurried = await go(endless(), { lookahead: 4, maxTimeMs: 0.01, journal: { directory: run, resume: true } });
    assert.equal(hurried.tells, whole.tells);
  });

  it("asks a search to the end even when its time is up between two asks", async () => {
    let asked = 0;
    const slow = Array.from({ length: 100 }, (_, i) => () => {
      for (const since = performance.now(); performance.now() < since + 0.5; );
      asked++;
      return candidate(`k${i}`);
    });
    const { reproducible } = await go(new Scripted(slow, until(100)), { maxTimeMs: 1 });
    assert.equal(asked, 100);
    assert.equal(reproducible.from, "journal");
  });
});

describe("driver: back-pressure", () => {
  it("never has more unsettled tasks in the pool than it takes", async () => {
    let out = 0;
    let most = 0;
    const pool = interleaved((value) => value, { choose: first, maxInFlight: 3, onEvaluate: () => out-- });
    const counting = {
      ...pool,
      open: (...args: Parameters<typeof pool.open>) => {
        const opened = pool.open(...args);
        return {
          ...opened,
          submit: (task: Parameters<typeof opened.submit>[0]) => {
            most = Math.max(most, ++out);
            opened.submit(task);
          },
        };
      },
    };
    await go(
      new Scripted(
        Array.from({ length: 50 }, (_, i) => candidate(`k${i}`)),
        until(50),
      ),
      {
        pool: counting,
      },
    );
    assert.equal(most, 3);
  });
});
