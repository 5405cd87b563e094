import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { concurrent, start } from "@coppice/engine";
import { soak } from "@coppice/engine/soak";
import fc from "fast-check";
import type { CouncilCandidate, CouncilValue } from "../../src/council/candidate.ts";
import type { CouncilResult } from "../../src/council/council-result.ts";
import { CouncilSearch } from "../../src/council/council-search.ts";
import { reply, setupOf } from "./hold-council.ts";

const folder = mkdtempSync(join(tmpdir(), "coppice-resumed-"));
after(() => rmSync(folder, { recursive: true }));

const setup = setupOf(["judge", "critic", "skeptic"], { speculate: true });
const script = {
  replies: {
    judge: reply("PROCEED"),
    critic: reply("STOP", 80, 80, "ESCALATE_TO: board - not ours"),
    skeptic: reply("STOP", 60, 70),
    arbiter: JSON.stringify({ verdict: "STOP", confidence: 5, reasoning: "x", next: "CONTINUE" }),
    "round 2: arbiter": JSON.stringify({
      verdict: "STOP",
      confidence: 5,
      reasoning: "x",
      rulings: [{ persona: "critic", why: "ours" }],
    }),
  },
  delays: { "round 1: arbiter": 15, "round 2: critic": 25, "round 2: arbiter": 10, "round 3: judge": 5 },
};

/** Holds the council, stopping each session after so many answers; gives the result and every key that was answered. */
async function heldIn(sessions: readonly number[], name: string) {
  const directory = join(folder, name);
  const answered: string[] = [];
  for (let session = 0; ; session++) {
    const stopAfter = sessions[session] ?? Number.POSITIVE_INFINITY;
    const run = await start<CouncilCandidate, CouncilValue, CouncilResult>({
      search: new CouncilSearch(setup),
      evaluator: new URL("./scripted-evaluator.ts", import.meta.url),
      context: script,
      pool: concurrent({ workers: 10 }),
      journal: { directory, resume: session > 0 },
    });
    let count = 0;
    run.subscribe((event) => {
      if (event.type !== "completed") return;
      answered.push(event.key);
      if (++count === stopAfter) run.interrupt();
    });
    const done = await run.finished.catch(() => undefined);
    if (done !== undefined) return { ...done, answered };
  }
}

test("C-16: a council interrupted any number of times is the same council, and nothing is answered twice", async () => {
  const whole = await heldIn([], "whole");
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 4 }), async (sessions) => {
      const { result, digest, answered } = await heldIn(sessions, `run-${number++}`);
      assert.deepEqual(result, whole.result);
      assert.equal(digest, whole.digest);
      assert.equal(new Set(answered).size, answered.length);
    }),
    { numRuns: soak(8, 150) },
  );
});
