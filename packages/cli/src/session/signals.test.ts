import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { coppice, document, ended, journaled, launch, SQUARES, temporaryDirectory } from "../../test/coppice.ts";

const COUNT = 60;

/** Starts a run of slow squares that counts its evaluations, and waits until some are done. */
async function slowRun(t: TestContext, ...args: string[]) {
  const place = temporaryDirectory(t);
  const options = ["--option", `count=${COUNT}`, "--option", "delayMs=40", "--option", "ledger=ledger"];
  const child = launch(place, ["run", SQUARES, "--run-dir", "runs", ...options, ...args], {}, t);
  const end = ended(child);
  await journaled(join(place, "runs", "1"), 5);
  return { place, child, end };
}

describe("a signal", { concurrency: 2 }, () => {
  for (const [signal, pool] of [
    ["SIGINT", "threads"],
    ["SIGTERM", "processes"],
  ] as const) {
    it(`${signal} interrupts a run on ${pool} in order: exit code 130, and the command that continues it`, async (t) => {
      const { place, child, end } = await slowRun(t, "--json", "--pool", pool, "--workers", "2");
      child.kill(signal);
      const { code, stdout, stderr } = await end;
      assert.equal(code, 130, stderr);
      const command = "coppice resume 1 --run-dir runs";
      assert.ok(stderr.endsWith(`coppice: run 1 interrupted by ${signal}; continue it with: ${command}\n`), stderr);
      const { state, resume } = JSON.parse(stdout) as Record<string, unknown>;
      assert.deepEqual([state, resume], ["interrupted", command]);

      const resumed = document(await coppice(place, [...command.split(" ").slice(1), "--json"]));
      const straight = document(await coppice(place, ["run", SQUARES, "--json", "--option", `count=${COUNT}`]));
      assert.equal(resumed.digest, straight.digest);
      const { reused } = resumed.resumed as { reused: number };
      assert.ok(reused >= 5);
      const evaluated = readFileSync(join(place, "ledger"), "utf8").trim().split("\n");
      // What the two workers had in hand, two tasks each at most, ran again; nothing that was journaled.
      assert.ok(evaluated.length <= COUNT + 4, `${evaluated.length} evaluations`);
      const journal = readFileSync(join(place, "runs", "1", "journal.ndjson"), "utf8");
      assert.equal(journal.split('"type":"completed"').length - 1, COUNT);
    });
  }

  it("after the first ends the process at once, without a word; the run can still be resumed", async (t) => {
    const { place, child, end } = await slowRun(t, "--pool", "inline");
    child.kill("SIGINT");
    child.kill("SIGTERM");
    const { code, stderr } = await end;
    assert.equal(code, 130);
    assert.doesNotMatch(stderr, /continue it with/);
    const [run] = JSON.parse((await coppice(place, ["runs", "--json", "--run-dir", "runs"])).stdout) as {
      state: string;
    }[];
    assert.equal(run.state, "cut off");
    const resumed = await coppice(place, ["resume", "1", "--run-dir", "runs", "--json", "--workers", "2"]);
    assert.deepEqual(document(resumed).result, { sum: (59 * 60 * 119) / 6, failed: 0 });
  });
});
