import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { inline, type PoolFactory, start } from "../src/index.ts";
import type { Subject } from "./conformance/clause.ts";
import { dying } from "./conformance/dying.ts";
import { failing } from "./conformance/failing.ts";
import { settling } from "./conformance/settling.ts";
import { elsewhere } from "./elsewhere.ts";
import { Shaped } from "./searches.ts";
import { onlyInSoak } from "./soak.ts";

const subject: Subject = {
  makeFactory: elsewhere,
  module: new URL("./elsewhere.ts", import.meta.url),
  factoryName: "elsewhere",
  exemptions: {
    "has a memory limit per worker": "a toy does not limit its programs",
    "survives SIGKILL of a worker": "a toy does not look after signals",
  },
};

describe("a pool made elsewhere, of public entries", () => {
  describe("settling", () => settling(subject));
  describe("failing", onlyInSoak(), () => failing(subject));
  describe("dying", onlyInSoak(), () => dying(subject));

  it("runs an evaluator it finds by its name, with the same digest, and is in the journal with its machine", async (t) => {
    const directory = mkdtempSync(join(tmpdir(), "coppice-elsewhere-"));
    t.after(() => rmSync(directory, { recursive: true, force: true }));
    const run = async (pool: PoolFactory) =>
      (
        await start({
          search: new Shaped({ kind: "waiting", total: 30, width: 5, keys: 50, withdrawEvery: 0 }),
          evaluator: new URL("./evaluators/eventful.ts", import.meta.url),
          context: { noise: 1, longestMs: 0, failOneIn: 7, flakyOneIn: 5, crashes: undefined },
          retries: 1,
          backoffMs: 1,
          pool,
          journal: { directory: join(directory, pool.kind) },
        })
      ).finished;
    const [here, there] = [await run(inline()), await run(elsewhere({ workers: 2 }))];
    assert.equal(there.digest, here.digest);
    const started = (kind: string) =>
      readFileSync(join(directory, kind, "journal.ndjson"), "utf8").match(/"type":"started".*/g) ?? [];
    assert.ok(started("elsewhere").length > 0);
    assert.ok(started("elsewhere").every((line) => line.includes(',"host":"moon",')));
    assert.ok(started("inline").every((line) => !line.includes("host")));
    assert.ok(readFileSync(join(directory, "inline", "journal.ndjson"), "utf8").includes(JSON.stringify(hostname())));
  });
});
