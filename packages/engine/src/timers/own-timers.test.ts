import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { candidate, Scripted, until } from "../../test/searches.ts";
import { RunView } from "../display/run-view.ts";
import { start } from "../driver/start.ts";
import { inline } from "../pools/in-process.ts";
import { threads } from "../pools/threads.ts";
import { COORDINATOR, timed, timersEnabled } from "./timed.ts";

const evaluator = new URL("../../test/evaluators/timed-square.ts", import.meta.url);

describe("the coordinator's own timers", () => {
  it("are collected while a timed run thinks, shown beside the workers', written to its log, and off again after it", async (t) => {
    const directory = mkdtempSync(join(tmpdir(), "coppice-timers-"));
    t.after(() => rmSync(directory, { recursive: true, force: true }));
    const pools = { threads: threads({ workers: 1 }), inline: inline() };
    for (const [name, pool] of Object.entries(pools)) {
      const think = (key: string, value: number) => () => timed("think", () => candidate(key, value));
      const search = new Scripted([think("a", 1), think("b", 2)], until(2));
      const view = new RunView();
      const journal = { directory: join(directory, name) };
      const run = await start({ search, evaluator, pool, timers: true, journal });
      let own = 0;
      run.subscribe((event) => {
        view.see(event);
        if (event.type === "timers" && event.worker === COORDINATOR) own++;
      });
      await run.finished;
      const { timers, workers } = view.at(Date.now());
      assert.equal(timers.find((timer) => timer.name === "think")?.count, 2, name);
      assert.ok(timers.length > 1, "the evaluator's are there too");
      assert.ok(timers.reduce((sum, { share }) => sum + share, 0) <= 1 + 1e-9);
      assert.equal(workers.length, 1, "the coordinator is no worker");
      if (name === "threads") {
        assert.equal(own, 1);
        assert.match(readFileSync(join(directory, name, "logs", "run.log"), "utf8"), /coordinator-summary.*think/);
      }
      assert.equal(timersEnabled(), false);
    }
  });
});
