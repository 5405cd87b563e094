import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { candidate, Scripted, until } from "../../test/searches.ts";
import { start } from "../driver/start.ts";
import type { StartOptions } from "../driver/start-options.ts";
import { threads } from "../pools/threads.ts";

const EVALUATOR = `import { existsSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { factor } from "./factor.mjs";
import "installed";
export default {
  evaluate: async (_, key) => {
    if (key !== "b" || existsSync("died")) return factor;
    writeFileSync("reached", "");
    while (!existsSync("changed")) await wait(5);
    writeFileSync("died", "");
    process.exit(1);
  },
};
`;

/** A run whose worker dies at its second task, after `meanwhile` has changed its files. */
async function interrupted(t: TestContext, meanwhile: (write: (name: string, text: string) => void) => void) {
  const place = mkdtempSync(join(tmpdir(), "coppice-changed-"));
  t.after(() => rmSync(place, { recursive: true, force: true }));
  const write = (name: string, text: string) => writeFileSync(join(place, name), text);
  // A worker's working directory is that of the test: paths have to be whole.
  write(
    "e.mjs",
    EVALUATOR.replaceAll(/"(died|reached|changed)"/g, (_, name) => JSON.stringify(join(place, name))),
  );
  write("factor.mjs", "export const factor = 1;\n");
  mkdirSync(join(place, "node_modules", "installed"), { recursive: true });
  write("node_modules/installed/index.js", "");
  write("node_modules/installed/package.json", '{ "name": "installed", "version": "1.0.0" }');
  const directory = join(place, "run");
  const keys = ["a", "b", "c"];
  const go = (options: Partial<StartOptions<unknown, unknown, unknown>["journal"] & object> = {}) =>
    start({
      search: new Scripted(
        keys.map((key) => candidate(key)),
        until(keys.length),
      ),
      evaluator: join(place, "e.mjs"),
      pool: threads({ workers: 1 }),
      lookahead: 1,
      journal: { directory, ...options },
    });
  const run = await go();
  while (!existsSync(join(place, "reached"))) await wait(5);
  meanwhile(write);
  write("changed", "");
  return {
    ended: await run.finished.then(
      (done) => done.reproducible,
      (error: Error) => error.message,
    ),
    go,
    directory,
  };
}

describe("code that changes while a run is going", () => {
  it("ends the run when a worker starts with it, before that worker evaluates anything", async (t) => {
    const { ended, go, directory } = await interrupted(t, (write) => write("factor.mjs", "export const factor = 2;\n"));
    assert.match(
      String(ended),
      /^the evaluator's code changed while the run was going \(.*factor\.mjs\), and a worker/,
    );
    const outcomes = readFileSync(join(directory, "journal.ndjson"), "utf8").match(/"type":"completed".*/g) ?? [];
    assert.deepEqual(
      outcomes.map((line) => /"value":(\d)/.exec(line)?.[1]),
      ["1"],
    );
    await assert.rejects(go({ resume: true }), /was worked on with different code \(.*factor\.mjs\)/);
    const resumed = await (await go({ resume: true, acceptChanges: true })).finished;
    assert.equal(resumed.reproducible.from, "journal");
  });

  it("ends the run also when it is an installed package that has become another version", async (t) => {
    const { ended } = await interrupted(t, (write) =>
      write("node_modules/installed/package.json", '{ "name": "installed", "version": "1.0.1" }'),
    );
    assert.match(String(ended), /^the evaluator's code changed while the run was going \(installed@1\.0\.1, /);
  });

  it("does no harm when the same is written again", async (t) => {
    const { ended } = await interrupted(t, (write) => write("factor.mjs", "export const factor = 1;\n"));
    assert.deepEqual(ended, { from: "seed" });
  });
});
