import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { encodeInstance } from "@coppice/airspace";
import { cutDownDay } from "@coppice/airspace/cut-down-day";
import { inTurn, onlyInSoak, soak } from "@coppice/engine/soak";
import { coppice, document, ended, journaled, launch, temporaryDirectory } from "../../test/coppice.ts";

/** Evaluations enough for a kill to find something left to do; a soak has more of them. */
const evaluations = soak(3000, 12_000);

const searches: Readonly<Record<string, string>> = {
  "walkers that search together": `--evaluations ${evaluations} --walkers 6 --rounds 8`,
  "a robust plan": `--robust 5 --evaluations ${soak(1500, 5000)} --walkers 3 --rounds 6`,
  "a front": `--front 0.005,0.1 --evaluations ${soak(1200, 3000)} --walkers 2 --rounds 6`,
  "independent roots": `--evaluations ${evaluations} --roots 8`,
  "sampled episodes": `--policy plain --priors sampled --exploration 2 --evaluations ${soak(2000, 6000)} --roots 4`,
  "one regulation after the other": `--mode stepwise --evaluations ${soak(2000, 5000)} --async-commits --roots 2`,
};

/** Tried every day: the others are the same runs of other searches, which a soak tries too. */
const everyDay = ["walkers that search together", "independent roots"];

describe("a plan search of a small day", () => {
  for (const [at, [name, args]] of Object.entries(searches).entries()) {
    // The run that is killed has two threads, too.
    const further = inTurn(["4 threads", "2 processes", "2 threads"], at);
    it(`F-26: ${name}: the same plan with 1 thread, ${further.join(", ")}, and after kill -9`, {
      ...(everyDay.includes(name) ? {} : onlyInSoak()),
      timeout: 300_000,
    }, async (t) => {
      const directory = temporaryDirectory(t);
      const day = join(directory, "day.bin");
      writeFileSync(day, encodeInstance(cutDownDay()));
      const plan = ["flow", "plan", "--instance", day, ...args.split(" "), "--seed", "2"];
      const runs = join(directory, ".coppice", "runs");
      const planOf = (id: string) => readFileSync(join(runs, id, "plan.json"), "utf8");
      const digests: unknown[] = [];
      for (const crew of ["1 threads", ...further]) {
        const [workers, pool] = crew.split(" ");
        const id = `${workers}-${pool}`;
        const typed = [...plan, "--workers", workers, "--pool", pool, "--id", id, "--json"];
        digests.push(document(await coppice(directory, typed)).digest);
        assert.equal(planOf(id), planOf("1-threads"));
      }
      assert.equal(new Set(digests).size, 1);

      const id = await killed(t, directory, plan);
      const journal = readFileSync(join(runs, id, "journal.ndjson"), "latin1");
      const whole = journal.slice(0, journal.lastIndexOf("\n")).split('"type":"completed"').length - 1;
      const resumed = document(await coppice(directory, ["resume", id, "--json"]));
      assert.equal(resumed.digest, digests[0]);
      const { reused } = resumed.resumed as { reused: number };
      assert.ok(whole >= 2);
      assert.equal(reused, whole, "nothing is lost but what was out");
      assert.equal(planOf(id), planOf("1-threads"));
    });
  }
});

describe("coppice verify", () => {
  it("evaluates every segment of a walkers' run again", { timeout: 120_000 }, async (t) => {
    const directory = temporaryDirectory(t);
    writeFileSync(join(directory, "day.bin"), encodeInstance(cutDownDay()));
    const plan =
      "flow plan --instance day.bin --evaluations 120 --walkers 3 --rounds 4 --pool inline --id walked --quiet";
    await coppice(directory, plan.split(" "));
    const { stdout, code } = await coppice(directory, ["verify", "walked", "--all"]);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /reproducible: 12 tells replayed, 12 of 12 evaluations done again/);
  });
});

/** Plans in processes of their own until one is killed before its end: on a busy machine that may be seen too late. */
async function killed(t: TestContext, directory: string, plan: readonly string[]): Promise<string> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const id = `killed-${attempt}`;
    const child = launch(directory, [...plan, "--workers", "2", "--id", id, "--quiet"], {}, t);
    const end = ended(child);
    await journaled(join(directory, ".coppice", "runs", id), 2);
    child.kill("SIGKILL");
    if ((await end).code === null) return id;
  }
  throw new Error("every plan was whole before it could be killed");
}
