import assert from "node:assert/strict";
import { it } from "node:test";
import { candidate, Scripted, until } from "../../../test/searches.ts";
import { go } from "../../../test/trial.ts";
import type { StartWorker } from "../../worker/worker-link.ts";
import { crewPool } from "./crew.ts";

it("does not wait for ever for a worker that is never heard of", async () => {
  let kills = 0;
  const startSilent: StartWorker = (_job, _mark, events) => ({
    pid: 1,
    pidStart: "",
    post: () => {},
    lastStart: () => ({ started: 0, atMs: 0 }),
    kill: () => {
      kills++;
      setImmediate(() => events.ended({ reason: "was killed" }));
    },
  });
  const pool = crewPool("silent", { workers: 2 }, startSilent, 20);
  await assert.rejects(
    go(new Scripted(candidate("a"), until(1)), { pool }),
    /^PoolBroken: a worker could not be started: nothing was heard of it for 0\.02 s; the limits on processes, .*$/,
  );
  assert.equal(kills, 2);
});
