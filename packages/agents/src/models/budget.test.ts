import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Budget } from "./budget.ts";

const signal = new AbortController().signal;

describe("a budget", () => {
  it("O-09: lets go what fits, in order, and holds the rest until others turn out cheaper", async () => {
    const budget = new Budget();
    budget.limit(1, 0, () => {});
    const order: number[] = [];
    const asks = [0, 1, 2, 3].map(async (index) => {
      const reservation = await budget.reserve(0.4, signal);
      order.push(index);
      return reservation;
    });
    const [first, second] = await Promise.all(asks.slice(0, 2));
    assert.deepEqual(order, [0, 1]);
    first.settle(0.1, true);
    const third = await asks[2];
    assert.deepEqual(order, [0, 1, 2]);
    second.settle(0.1, true);
    third.settle(0.1, true);
    await asks[3];
    assert.deepEqual(order, [0, 1, 2, 3]);
  });

  it("O-09: says once nothing is under way that nothing fits any more", async () => {
    const budget = new Budget();
    let said = 0;
    budget.limit(1, 0.5, () => said++);
    const reservation = await budget.reserve(0.4, signal);
    const stop = new AbortController();
    const held = budget.reserve(0.4, stop.signal).catch((error: Error) => error.message);
    await new Promise(setImmediate);
    assert.equal(said, 0, "one is under way");
    reservation.settle(0.4, true);
    assert.equal(said, 0, "its answer must be written down first");
    await new Promise(setImmediate);
    assert.equal(said, 1);
    stop.abort(new Error("no money"));
    assert.equal(await held, "no money");
  });

  it("O-09: never spends more than the limit when nothing costs more than expected", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ expected: fc.integer({ min: 1, max: 50 }), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
          {
            minLength: 1,
            maxLength: 30,
          },
        ),
        fc.integer({ min: 1, max: 300 }),
        async (requests, limit) => {
          const budget = new Budget();
          const stop = new AbortController();
          let spent = 0;
          budget.limit(limit, 0, () => stop.abort());
          await Promise.allSettled(
            requests.map(async ({ expected, share }) => {
              const reservation = await budget.reserve(expected, stop.signal);
              await new Promise(setImmediate);
              spent += expected * share;
              reservation.settle(expected * share, true);
            }),
          );
          assert.ok(spent <= limit + 1e-9, `${spent} of ${limit}`);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("O-09: learns from answers that cost more than expected", async () => {
    const budget = new Budget();
    let exhausted = false;
    budget.limit(1, 0, () => {
      exhausted = true;
    });
    (await budget.reserve(0.1, signal)).settle(0.6, true);
    void budget.reserve(0.1, signal);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    assert.ok(exhausted, "the next is expected to cost 0.6 as well");
  });
});
