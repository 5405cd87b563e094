import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { assertRefused, coppice, document, file, temporaryDirectory } from "../../test/coppice.ts";

const RUN = `export default {
  evaluator: "./evaluator.mjs",
  search: () => {
    let told = 0, asked = 0, sum = 0;
    return {
      ask: () => told === 8 ? { kind: "done" } : asked > told ? { kind: "wait" }
        : { kind: "candidate", candidate: asked, key: "n" + asked++ },
      tell: (outcome) => { told++; sum += outcome.value; },
      result: () => sum,
    };
  },
};
`;
const EVALUATOR = `import { existsSync } from "node:fs";
import { weigh } from "./lib/index.mjs";
export default {
  evaluate: (_, n) => {
    if (n === 5 && existsSync("closed")) throw new Error("closed today");
    return weigh(n);
  },
};
`;

/** A project whose evaluator's answer depends on a file that it imports by way of another. */
function project(t: TestContext) {
  const place = temporaryDirectory(t);
  mkdirSync(join(place, "lib"));
  file(place, "run.mjs", RUN);
  file(place, "evaluator.mjs", EVALUATOR);
  file(place, "lib/index.mjs", 'export * from "./weigh.mjs";\n');
  const weigh = (factor: number) => file(place, "lib/weigh.mjs", `export const weigh = (n) => ${factor} * n;\n`);
  weigh(1);
  const json = async (...args: string[]) =>
    document(await coppice(place, [...args, "--json", "--workers", "1", "--pool", "threads"]));
  /** A run that has stopped with five of its eight outcomes. */
  const stopped = async (id: string) => {
    file(place, "closed", "");
    await coppice(place, ["run", "run.mjs", "--id", id, "--on-failure", "stop", "--workers", "1"]);
    rmSync(join(place, "closed"));
  };
  return { place, weigh, json, stopped, runs: join(place, ".coppice", "runs") };
}

describe("code that changes", () => {
  it("is not answered from a cache that was filled before", async (t) => {
    const { weigh, json } = project(t);
    assert.equal((await json("run", "run.mjs", "--cache")).result, 28);
    weigh(10);
    assert.equal((await json("run", "run.mjs", "--cache")).result, 280);
    weigh(1);
    assert.equal((await json("run", "run.mjs", "--cache")).result, 28);
  });

  it("ends a resume in one line that names the file, and changes nothing", async (t) => {
    const { place, weigh, json, stopped, runs } = project(t);
    const calm = await json("run", "run.mjs", "--id", "calm");
    await stopped("mixed");
    weigh(10);
    const journal = join(runs, "mixed", "journal.ndjson");
    const before = readFileSync(journal, "utf8");
    assertRefused(
      await coppice(place, ["resume", "mixed"]),
      /^coppice: run mixed was worked on with different code \(lib\/weigh\.mjs\): put that back, start a new run, or resume with --accept-changes/,
    );
    assert.equal(readFileSync(journal, "utf8"), before);
    weigh(1);
    const { digest, reproducible } = await json("resume", "mixed");
    assert.deepEqual([digest, reproducible], [calm.digest, { from: "seed" }]);
  });

  it("is taken by a resume that is told to, and the run says what that means, then and later", async (t) => {
    const { place, weigh, json, stopped, runs } = project(t);
    await stopped("mixed");
    weigh(10);
    const { result, reproducible } = await json("resume", "mixed", "--accept-changes");
    assert.equal(result, 0 + 1 + 2 + 3 + 4 + 50 + 60 + 70);
    const mark = {
      from: "journal",
      reason: "the evaluator became different code (lib/weigh.mjs)",
      tell: 5,
    };
    assert.deepEqual(reproducible, mark);
    const kept = JSON.parse(readFileSync(join(runs, "mixed", "result.json"), "utf8"));
    assert.deepEqual(kept.reproducible, mark);
    // Finished: it evaluates nothing more, so that it can be read with any code.
    weigh(100);
    assert.deepEqual((await json("resume", "mixed")).reproducible, mark);
    weigh(10);
    const { stdout, code } = await coppice(place, ["verify", "mixed", "--all"]);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /8 tells replayed, 3 of 8 evaluations done again/);
    assert.match(
      stdout,
      /from its journal, not from its seed: the evaluator became different code \(lib\/weigh\.mjs\) at tell 5/,
    );
    assert.match(stdout, /note: 5 outcomes are of code from before a change \(lib\/weigh\.mjs\): not evaluated again/);
  });

  it("is named by verify beside what it evaluates differently", async (t) => {
    const { place, weigh, json } = project(t);
    await json("run", "run.mjs", "--id", "calm");
    weigh(10);
    const { stdout, code } = await coppice(place, ["verify", "calm"]);
    assert.equal(code, 1);
    assert.match(stdout, /^run calm is NOT reproducible\n {2}task 1 /);
    assert.match(stdout, /note: the evaluator is different code than the run's \(lib\/weigh\.mjs\)\n$/);
  });

  it("is free to change while there is no outcome to mix it with", async (t) => {
    const { place, weigh, json } = project(t);
    file(place, "evaluator.mjs", EVALUATOR.replace("n === 5", "n === 0"));
    file(place, "closed", "");
    await coppice(place, ["run", "run.mjs", "--id", "early", "--on-failure", "stop", "--workers", "1"]);
    rmSync(join(place, "closed"));
    weigh(10);
    const { result, reproducible } = await json("resume", "early");
    assert.deepEqual([result, reproducible], [280, { from: "seed" }]);
  });
});
