import assert from "node:assert/strict";
import { once } from "node:events";
import { afterEach, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { drainTimers, enableTimers, timed } from "./timed.ts";

describe("timed", () => {
  afterEach(() => enableTimers(false));

  it("collects nothing and makes nothing while off", () => {
    assert.equal(timed("a"), undefined);
    {
      using _ = timed("a");
    }
    assert.equal(
      timed("a", () => 7),
      7,
    );
    assert.deepEqual(drainTimers(), {});
  });

  it("forgets what it collected when switched off", () => {
    enableTimers(true);
    timed("a", () => 0);
    enableTimers(false);
    enableTimers(true);
    assert.deepEqual(drainTimers(), {});
  });

  it("counts blocks and functions by name", () => {
    enableTimers(true);
    for (let i = 0; i < 3; i++) {
      using _ = timed("block");
      timed("function", () => i);
    }
    const totals = drainTimers();
    assert.equal(totals.block.count, 3);
    assert.equal(totals.function.count, 3);
    assert.ok(totals.block.ms >= totals.function.ms);
  });

  it("times an async function until its promise settles", async () => {
    enableTimers(true);
    assert.equal(
      await timed("wait", async () => {
        await sleep(20);
        return "value";
      }),
      "value",
    );
    await assert.rejects(timed("wait", () => Promise.reject(new Error("no"))));
    const { wait } = drainTimers();
    assert.equal(wait.count, 2);
    assert.ok(wait.ms >= 15, `${wait.ms} ms`);
  });

  it("ends the timer of a function that throws", () => {
    enableTimers(true);
    assert.throws(() =>
      timed("bad", () => {
        throw new Error("no");
      }),
    );
    assert.equal(drainTimers().bad.count, 1);
    assert.deepEqual(drainTimers(), {});
  });

  it("keeps a thread's timers in that thread", async () => {
    enableTimers(true);
    const code = `
      import { parentPort } from "node:worker_threads";
      import { drainTimers, enableTimers, timed } from ${JSON.stringify(new URL("./timed.ts", import.meta.url).href)};
      timed("before", () => 0);
      enableTimers(true);
      timed("in thread", () => 0);
      parentPort.postMessage(drainTimers());
    `;
    const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
    const [totals] = await once(thread, "message");
    await thread.terminate();
    assert.deepEqual(Object.keys(totals), ["in thread"]);
    assert.deepEqual(drainTimers(), {});
  });
});
