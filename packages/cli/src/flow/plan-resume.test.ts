import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { encodeInstance } from "@coppice/airspace";
import { cutDownDay } from "@coppice/airspace/cut-down-day";
import { coppice, document, ended, journaled, launch, temporaryDirectory } from "../../test/coppice.ts";

const searches: Readonly<Record<string, readonly string[]>> = {
  "walkers that search together": ["--evaluations", "12000", "--walkers", "6", "--rounds", "8"],
  "a robust plan": ["--robust", "5", "--evaluations", "5000", "--walkers", "3", "--rounds", "6"],
  "a front": ["--front", "0.005,0.1", "--evaluations", "3000", "--walkers", "2", "--rounds", "6"],
  "independent roots": ["--evaluations", "12000", "--roots", "8"],
  "sampled episodes": [
    "--policy",
    "plain",
    "--priors",
    "sampled",
    "--exploration",
    "2",
    "--evaluations",
    "6000",
    "--roots",
    "4",
  ],
  "one regulation after the other": ["--mode", "stepwise", "--evaluations", "5000", "--async-commits", "--roots", "2"],
};

describe("a plan search of a small day", () => {
  for (const [name, args] of Object.entries(searches)) {
    it(`F-26: ${name}: the same plan with 1, 2, 4 workers, threads and processes, and after kill -9`, {
      timeout: 300_000,
    }, async (t) => {
      const directory = temporaryDirectory(t);
      const day = join(directory, "day.bin");
      writeFileSync(day, encodeInstance(cutDownDay()));
      const plan = ["flow", "plan", "--instance", day, ...args, "--seed", "2"];
      const runs = join(directory, ".coppice", "runs");
      const planOf = (id: string) => readFileSync(join(runs, id, "plan.json"), "utf8");
      const crews = [
        ["1", "threads"],
        ["2", "threads"],
        ["4", "threads"],
        ["2", "processes"],
      ];
      const digests: unknown[] = [];
      for (const [workers, pool] of crews) {
        const id = `${workers}-${pool}`;
        const typed = [...plan, "--workers", workers, "--pool", pool, "--id", id, "--json"];
        digests.push(document(await coppice(directory, typed)).digest);
        assert.equal(planOf(id), planOf("1-threads"));
      }
      assert.equal(new Set(digests).size, 1);

      const child = launch(directory, [...plan, "--workers", "2", "--id", "killed", "--quiet"], {}, t);
      const end = ended(child);
      await journaled(join(runs, "killed"), 2);
      child.kill("SIGKILL");
      assert.equal((await end).code, null, "it was killed before its end");
      const resumed = document(await coppice(directory, ["resume", "killed", "--json"]));
      assert.equal(resumed.digest, digests[0]);
      assert.ok((resumed.resumed as { reused: number }).reused >= 2);
      assert.equal(planOf("killed"), planOf("1-threads"));
    });
  }
});
