import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import fc from "fast-check";
import {
  type SimulatedSecond,
  type Simulation,
  simulate,
  VirtualClock,
} from "../../../test/models/simulated-provider.ts";
import { Pace } from "./request-pace.ts";
import { minuteBucket } from "./token-bucket.ts";

function simulated(
  t: TestContext,
  simulation: Partial<Simulation> & Pick<Simulation, "quota">,
): Promise<SimulatedSecond[]> {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const clock = new VirtualClock((ms) => t.mock.timers.tick(ms));
  return simulate({ callers: 50, latencyMs: 300, seconds: 30, backoffMs: 500, ...simulation }, clock);
}

const perSecond = (seconds: readonly SimulatedSecond[], what: keyof SimulatedSecond) =>
  seconds.reduce((sum, second) => sum + second[what], 0) / seconds.length;

describe("the pace of a provider", () => {
  for (const [limit, burst] of [
    [5, 1],
    [20, 20],
    [60, 5],
  ] as const) {
    it(`S-03: settles within 10 % of ${limit} requests per second (bursts of ${burst}), without a storm`, async (t) => {
      const seconds = await simulated(t, { quota: { perSecond: limit, burst } });
      const settled = seconds.slice(12);
      const admitted = perSecond(settled, "admitted");
      assert.ok(admitted >= 0.9 * limit, `${admitted} per second`);
      const refused = perSecond(settled, "refused");
      assert.ok(refused <= 0.1 * limit, `${refused} refused per second`);
      // Even at the beginning nobody is refused again and again: 50 callers, some of them twice.
      const atFirst = seconds.slice(0, 3).reduce((sum, second) => sum + second.refused, 0);
      assert.ok(atFirst <= 100, `${atFirst} refused in the first three seconds`);
    });
  }

  it("S-03: follows a limit that falls, and one that rises", async (t) => {
    const fell = await simulated(t, { quota: { perSecond: 40 }, later: { perSecond: 10 }, seconds: 40 });
    const afterFall = fell.slice(-10);
    assert.ok(perSecond(afterFall, "admitted") >= 9, `${perSecond(afterFall, "admitted")} per second`);
    assert.ok(perSecond(afterFall, "refused") <= 1.5, `${perSecond(afterFall, "refused")} refused per second`);
    t.mock.timers.reset();
    const rose = await simulated(t, { quota: { perSecond: 10 }, later: { perSecond: 40 }, seconds: 60 });
    assert.ok(perSecond(rose.slice(-10), "admitted") >= 36, `${perSecond(rose.slice(-10), "admitted")} per second`);
  });

  it("S-03: never sends more than the requests per minute that were set, in any minute", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.nat({ max: 5000 }), (perMinute, pauseMs) => {
        const bucket = minuteBucket(perMinute, 0);
        const sent: number[] = [];
        for (let nowMs = pauseMs; nowMs < 150_000; ) {
          const waitMs = bucket.waitMs(nowMs);
          if (waitMs > 0) nowMs += Math.ceil(waitMs);
          else {
            bucket.take();
            sent.push(nowMs);
          }
        }
        for (const [index, atMs] of sent.entries()) {
          const until = sent.findIndex((later) => later >= atMs + 59_999);
          const inMinute = (until < 0 ? sent.length : until) - index;
          assert.ok(inMinute <= Math.max(2, perMinute + 1), `${inMinute} in a minute from ${atMs} ms`);
        }
        assert.ok(sent.length >= perMinute, "and makes use of what it may send");
      }),
      { numRuns: 40 },
    );
  });

  it("lets requests through in the order they came, and forgets those that gave up", async () => {
    const pace = new Pace({ maxConcurrent: 1 });
    const signal = new AbortController().signal;
    const first = await pace.enter(signal);
    const order: number[] = [];
    const stop = new AbortController();
    const givenUp = pace.enter(stop.signal).catch((error: Error) => error.message);
    const others = [1, 2, 3].map(async (number) => {
      const pass = await pace.enter(signal);
      order.push(number);
      pass.end();
    });
    stop.abort(new Error("never mind"));
    assert.equal(await givenUp, "never mind");
    first.end();
    first.end();
    await Promise.all(others);
    assert.deepEqual(order, [1, 2, 3]);
    await assert.rejects(async () => pace.enter(stop.signal), /never mind/);
  });
});
