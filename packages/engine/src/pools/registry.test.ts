import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { candidate, Scripted, when } from "../../test/searches.ts";
import type { PreparedRun } from "../session/prepared-run.ts";
import { runToEnd } from "../session/run-to-end.ts";
import { inline } from "./in-process.ts";
import { poolKind, poolKinds, poolOf, registerPool } from "./registry.ts";

describe("kinds of pools", () => {
  it("make the pool they name, with the options it knows", async () => {
    for (const { kind, oneAtATime } of poolKinds()) {
      const pool = await poolOf(kind, { workers: 2, maxInFlight: 5 });
      assert.deepEqual([pool.kind, pool.workers], [kind, oneAtATime === true ? 1 : 2]);
    }
  });

  it("that are not there are named, with those that are and what to do", () => {
    assert.throws(() => poolKind("cloud", ": choose another with --pool"), {
      name: "UsageError",
      message:
        'there is no pool "cloud" here (there are inline, threads, processes, concurrent): choose another with --pool',
    });
  });

  it("that a run was recorded with and are not there stop its resume, and nothing takes their place", async (t) => {
    const runs = mkdtempSync(join(tmpdir(), "coppice-kinds-"));
    t.after(() => rmSync(runs, { recursive: true, force: true }));
    const prepared = (): PreparedRun => ({
      tool: "test",
      record: () => null,
      search: new Scripted(candidate("a"), when(1, { kind: "done" })),
      evaluator: new URL("../../test/evaluators/echo.ts", import.meta.url),
    });
    const here = { pool: async () => inline() };
    const { directory, end } = await runToEnd(prepared(), { runs }, here);
    const record = join(directory, "run.json");
    writeFileSync(record, readFileSync(record, "utf8").replace('"kind": "inline"', '"kind": "moon"'));
    await assert.rejects(runToEnd(prepared(), { resume: directory }, {}), {
      name: "UsageError",
      message: /there is no pool "moon" here .*, but run 1 was started on one: register it, or give another/,
    });
    const again = await runToEnd(prepared(), { resume: directory }, here);
    assert.deepEqual(again.end, end);
  });

  it("can be added once", async () => {
    const toy = { kind: "toy", description: "a toy", endsChildren: false, make: async () => inline() };
    registerPool(toy);
    assert.equal(poolKinds().at(-1), toy);
    assert.equal((await poolOf("toy")).kind, "inline");
    assert.throws(() => registerPool(toy), /two pools called "toy"/);
  });
});
