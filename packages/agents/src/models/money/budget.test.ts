import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { soak } from "@coppice/engine/soak";
import fc from "fast-check";
import type { Behaviour } from "../../practice-server/behaviour.ts";
import { PracticeServer } from "../../practice-server/practice-server.ts";
import { Gateway } from "../gateway.ts";
import { parseModels } from "../models-file.ts";
import { Budget } from "./budget.ts";
import type { Expectation } from "./charge.ts";
import { publicPrice } from "./prices.ts";

const signal = new AbortController().signal;
const about = (expected: number, most = expected): Expectation => ({ expected, most, says: "a test" });

describe("a budget", () => {
  it("O-09: lets go what fits, in order, and holds the rest until others turn out cheaper", async () => {
    const budget = new Budget();
    budget.limit(1, 0, () => undefined);
    const order: number[] = [];
    const asks = [0, 1, 2, 3].map(async (index) => {
      const reservation = await budget.reserve(about(0.4), signal);
      order.push(index);
      return reservation;
    });
    const [first, second] = await Promise.all(asks.slice(0, 2));
    assert.deepEqual(order, [0, 1]);
    first.settle(0.1);
    const third = await asks[2];
    assert.deepEqual(order, [0, 1, 2]);
    second.settle(0.1);
    third.settle(0.1);
    await asks[3];
    assert.deepEqual(order, [0, 1, 2, 3]);
  });

  it("O-09: says once nothing is under way that nothing fits any more, and why", async () => {
    const budget = new Budget();
    const said: string[] = [];
    budget.limit(1, 0.5, (why) => {
      said.push(why);
      return undefined;
    });
    const reservation = await budget.reserve(about(0.4), signal);
    const stop = new AbortController();
    const held = budget.reserve(about(0.4), stop.signal).catch((error: Error) => error.message);
    await new Promise(setImmediate);
    assert.equal(said.length, 0, "one is under way");
    reservation.settle(0.4);
    assert.equal(said.length, 0, "its answer must be written down first");
    await new Promise(setImmediate);
    assert.deepEqual(said, [
      "the budget of $1.0000 has $0.9000 spent, and the next request is expected to cost $0.4000 (a test): lower that with --max-tokens or a cheaper --model, or give more with --max-cost",
    ]);
    stop.abort(new Error("no money"));
    assert.equal(await held, "no money");
  });

  it("says how much dearer than expected requests have been", async () => {
    const said: string[] = [];
    const budget = new Budget();
    budget.limit(1, 0, (why) => {
      said.push(why);
      return new Error("no money");
    });
    (await budget.reserve(about(0.2), signal)).settle(0.7);
    await assert.rejects(budget.reserve(about(0.2), signal), /no money/);
    assert.match(
      said[0],
      /expected to cost \$0\.7000 \(a test, times 3\.5 as requests so far cost more than expected\)/,
    );
  });

  it("refuses what it holds when its owner wants that", async () => {
    const budget = new Budget();
    budget.limit(1, 0.9, (why) => new Error(`refused: ${why.slice(0, 21)}`));
    const asks = [budget.reserve(about(0.4), signal), budget.reserve(about(0.5), signal)];
    const ends = await Promise.allSettled(asks);
    assert.deepEqual(
      ends.map((end) => (end.status === "rejected" ? end.reason.message : end.status)),
      ["refused: the budget of $1.0000", "refused: the budget of $1.0000"],
    );
  });

  it("O-09: is never exceeded by more than one request, whatever requests cost and however they end", async () => {
    const cost = fc.record({
      most: fc.integer({ min: 1, max: 50 }),
      expected: fc.double({ min: 0, max: 1, noNaN: true }),
      actual: fc.double({ min: 0, max: 1, noNaN: true }),
      turns: fc.integer({ min: 0, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(cost, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 300 }),
        async (requests, limit) => {
          const budget = new Budget();
          const stop = new AbortController();
          let spent = 0;
          budget.limit(limit, 0, () => {
            stop.abort();
            return undefined;
          });
          await Promise.allSettled(
            requests.map(async ({ most, expected, actual, turns }) => {
              const reservation = await budget.reserve(about(most * expected, most), stop.signal);
              for (let i = 0; i < turns; i++) await new Promise(setImmediate);
              spent += most * actual;
              reservation.settle(most * actual);
            }),
          );
          const dearest = Math.max(...requests.map(({ most, actual }) => most * actual));
          assert.ok(spent <= limit + dearest, `${spent} of ${limit}`);
        },
      ),
      { numRuns: soak(50, 1000) },
    );
  });

  it("O-09: learns from answers that cost more than expected", async () => {
    const budget = new Budget();
    let exhausted = false;
    budget.limit(1, 0, () => {
      exhausted = true;
      return undefined;
    });
    (await budget.reserve(about(0.1), signal)).settle(0.6);
    void budget.reserve(about(0.1), signal);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    assert.ok(exhausted, "the next is expected to cost 0.6 as well");
  });

  it("lets nothing go beside the first request of a provider whose prices nobody knows", async () => {
    const budget = new Budget();
    budget.limit(1, 0, () => undefined);
    const unknown: Expectation = { expected: undefined, most: Number.POSITIVE_INFINITY, says: "" };
    let gone = 0;
    const ask = async () => {
      const reservation = await budget.reserve(unknown, signal);
      gone++;
      return reservation;
    };
    const asks = [ask(), ask(), ask(), ask()];
    const first = await asks[0];
    await new Promise(setImmediate);
    assert.equal(gone, 1);
    first.settle(0.3);
    await Promise.all(asks.slice(1, 3));
    await new Promise(setImmediate);
    assert.equal(gone, 3, "three times 0.3 fit, four do not");
  });
});

it("the sum of what a provider bills is never more than one request above the limit", async () => {
  const price = fc.record({ input: fc.integer({ min: 0, max: 40 }), output: fc.integer({ min: 1, max: 200 }) });
  const ending = fc.constantFrom("answer", "uncounted", "thoughts", "cut", "filtered", "500", "broken", "malformed");
  const tokens = fc.integer({ min: 0, max: 60 });
  const server = await PracticeServer.start({ respond: ({ body }) => behave(body.messages[0].content) });
  try {
    await fc.assert(
      fc.asyncProperty(
        price,
        fc.array(fc.tuple(ending, tokens), { minLength: 5, maxLength: 15 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 30 }),
        async ({ input, output }, requests, concurrency, tenths) => {
          const gateway = new Gateway({
            models: parseModels(
              JSON.stringify({
                providers: { here: { baseUrl: server.url } },
                models: { m: { provider: "here", model: "m", price: { input, output } } },
              }),
              "the test",
            ),
            place: "the test",
            timeoutMs: 5000,
            retries: 1,
            backoffMs: 1,
            concurrency,
          });
          const most = (100 * input + 60 * output) / 1e6;
          const limit = (tenths / 10) * most;
          const stop = new AbortController();
          gateway.budget.limit(limit, 0, () => {
            stop.abort();
            return undefined;
          });
          await Promise.allSettled(
            requests.map(([kind, count], i) =>
              gateway.ask(
                { model: "m", messages: [{ role: "user", content: `${kind} ${count} ${i}` }], maxTokens: 60 },
                { signal: stop.signal },
              ),
            ),
          );
          const { cost, wasted } = gateway.spending();
          assert.ok(cost + wasted <= limit + most, `${cost} + ${wasted} of ${limit}, one is at most ${most}`);
          await gateway.close();
        },
      ),
      { numRuns: soak(8, 100) },
    );
  } finally {
    await server.close();
  }
});

function behave(asked: string): Behaviour {
  const [kind, count] = asked.split(" ");
  const usage = { prompt_tokens: 20, completion_tokens: Number(count) };
  switch (kind) {
    case "uncounted":
      return { kind: "answer", content: "x ".repeat(Number(count) + 1), usage: null };
    case "thoughts":
      return { kind: "answer", content: "", reasoning: "hm", usage };
    case "cut":
      return { kind: "answer", content: "half", finish: "length", usage };
    case "filtered":
      return { kind: "answer", content: "", finish: "content_filter", usage };
    case "500":
      return { kind: "status", status: 500 };
    case "broken":
      return { kind: "cut", after: "half" };
    case "malformed":
      return { kind: "malformed" };
    default:
      return { kind: "answer", content: "whole", usage };
  }
}

describe("public prices", () => {
  it("are found whatever a provider adds to a model's name", () => {
    assert.deepEqual(publicPrice("openai/gpt-5.1"), { input: 1.25, output: 10 });
    assert.deepEqual(publicPrice("claude-haiku-4-5-20251001"), { input: 1, output: 5 });
    assert.deepEqual(publicPrice("anthropic/claude-sonnet-4.5"), { input: 3, output: 15 });
  });

  it("of other models are unknown, not zero", () => {
    for (const model of ["my-model", "gpt-5.1-something", "constructor", "openai/gpt-oss-20b:free"])
      assert.equal(publicPrice(model), undefined);
  });
});
