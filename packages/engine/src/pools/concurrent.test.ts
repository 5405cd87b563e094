import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { poolConformance } from "../../test/conformance/conformance.ts";
import { Trial } from "../../test/conformance/trial.ts";
import { concurrent } from "./in-process.ts";

const sameThread = "all tasks share the pool's own thread";
const sameProcess = "a task runs in the pool's own process and takes it along";

await poolConformance(new URL("./in-process.ts", import.meta.url), "concurrent", {
  "puts small tasks together": "a task that may wait long is never put behind another",
  "stops a busy loop": sameThread,
  "survives the end of a worker": sameProcess,
  "survives SIGKILL of a worker": sameProcess,
  "has a memory limit per worker": sameProcess,
  "ends the programs a stopped task started": "its tasks' programs cannot be told from the owner's",
  "ends the programs its tasks started when its own process is killed": sameProcess,
  "catches what a task prints": "its tasks print where the pool's owner prints",
});

describe("the pool for work that waits", () => {
  it("has 50 tasks under way at once when nobody says otherwise", async () => {
    await using trial = new Trial(concurrent, { workers: "auto" });
    for (let id = 0; id < 60; id++) trial.submit(id, { do: "heed", value: id });
    await trial.until("as many as may run are running", () => trial.started.length >= 50);
    assert.equal(concurrent().workers, 50);
    assert.equal(trial.started.length, 50);
    for (let id = 0; id < 60; id++) trial.abort(id);
  });

  it("never puts a task behind one that waits, however short the others were", async () => {
    await using trial = new Trial(concurrent, { workers: 2 });
    for (let id = 0; id < 100; id++) trial.submit(id, { do: "return", value: id });
    await trial.settled(99);
    trial.submit(100, { do: "hang" });
    for (let id = 101; id < 120; id++) trial.submit(id, { do: "sleep", ms: 1, value: id });
    assert.deepEqual(await trial.values(101, 119), [101, 119]);
  });
});
