import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertRefused, coppice, document, ended, file, launch, temporaryDirectory } from "../../test/coppice.ts";

describe("coppice demo", () => {
  it("gives one digest alone, in parallel, and killed and resumed without evaluating anything twice", async (t) => {
    const place = temporaryDirectory(t);
    const { same, runs } = document(await ended(launch(place, ["demo", "--json", "--generations", "6"], {}, t))) as {
      same: boolean;
      runs: { digest: string; evaluated: number; workers: number }[];
    };
    assert.equal(same, true);
    assert.equal(new Set(runs.map(({ digest }) => digest)).size, 1);
    const [alone, parallel, killed] = runs;
    assert.deepEqual([alone.evaluated, parallel.evaluated, alone.workers], [120, 120, 1]);
    assert.ok(parallel.workers >= 2);
    assert.ok(killed.evaluated <= 60, `the resumed run evaluated ${killed.evaluated}`);
    const listed = JSON.parse((await coppice(place, ["runs", "--json"])).stdout) as { id: string; state: string }[];
    assert.deepEqual(
      listed.map(({ id, state }) => `${id} ${state}`),
      ["demo-1-alone done", "demo-1-killed done", "demo-1-parallel done"],
    );
  });

  it("says nothing before it knows that it can write", async (t) => {
    const place = temporaryDirectory(t);
    file(place, "taken", "");
    assertRefused(
      await coppice(place, ["demo", "--run-dir", "taken/runs"]),
      /cannot create taken\/runs: taken is a file\n$/,
    );
  });

  it("refuses one worker: there would be nothing to compare", async (t) => {
    assertRefused(await coppice(temporaryDirectory(t), ["demo", "--workers", "1"]), /from 2 to 64/);
  });
});
