import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { interleaved } from "../../test/interleaved-pool.ts";
import { candidate, type Heard, Scripted, until, when } from "../../test/searches.ts";
import { first, go, last, values } from "../../test/trial.ts";
import type { Search } from "../contract/search.ts";
import { SearchError } from "./search-contract.ts";

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

  it("hands out nothing before the last is asked for when batches are wanted whole, with the same digest", async () => {
    const digests = new Set<string>();
    for (const wholeBatches of [true, false]) {
      let asked = 0;
      const counted = Array.from({ length: 100 }, (_, i) => () => {
        asked++;
        return candidate(`k${i}`);
      });
      const evaluated: number[] = [];
      const onEvaluate = () => evaluated.push(asked);
      const { digest } = await go(new Scripted(counted, until(100)), {
        wholeBatches,
        pooling: { choose: last, onEvaluate },
      });
      assert.equal(Math.min(...evaluated) === 100, wholeBatches);
      digests.add(digest);
    }
    assert.equal(digests.size, 1);
  });

  it("hands out new candidates before the last is asked for also when the first of them is known already", async () => {
    let asked = 0;
    const counted = (key: string) => () => {
      asked++;
      return candidate(key);
    };
    const search = new Scripted(
      counted("known"),
      when(1, candidate("known")),
      Array.from({ length: 100 }, (_, i) => counted(`k${i}`)),
      until(102),
    );
    const evaluated: { readonly key: string; readonly asked: number }[] = [];
    const onEvaluate = (key: string) => evaluated.push({ key, asked });
    await go(search, { pooling: { choose: last, onEvaluate } });
    assert.equal(evaluated.filter(({ key }) => key === "known").length, 1);
    assert.ok((evaluated[1]?.asked ?? 101) < 101, "the first new one waited for the last to be asked");
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
    const thrown = (method: string, place: string) =>
      new RegExp(`^${method}\\(\\) threw after ${place}: broken search \\(\\S*driver\\.test\\.ts:\\d+\\)$`);
    for (const [method, place] of [
      ["ask", "2 asks and 0 tells"],
      ["tell", "2 asks and 1 tells"],
      ["result", "3 asks and 3 tells"],
      ["progress", "3 asks and 2 tells"],
    ] as const) {
      await assert.rejects(
        go(throwing(method)),
        (error) => error instanceof SearchError && thrown(method, place).test(error.message),
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
