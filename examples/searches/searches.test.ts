import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { inline, start } from "@coppice/engine";
import evolution from "./evolution.ts";
import generator from "./generator.ts";
import rungs from "./rungs.ts";
import space from "./space.ts";
import study from "./study.ts";
import sweep from "./sweep.ts";
import tree from "./tree.ts";

const page = readFileSync(new URL("../../docs/search.md", import.meta.url), "utf8");
const given = { seed: 1, options: {} };

/** Runs an example as `coppice run` does. */
async function found<Candidate, Value, Result>(
  name: string,
  search: Parameters<typeof start<Candidate, Value, Result>>[0]["search"],
): Promise<Result> {
  const run = await start({ search, evaluator: new URL(`./${name}.ts`, import.meta.url), pool: inline(), seed: 1 });
  return (await run.finished).result;
}

describe("the searches of docs/search.md", () => {
  for (const name of ["sweep", "generator", "tree", "evolution", "study", "space", "rungs"]) {
    it(`${name}.ts stands there word for word`, () => {
      assert.ok(page.includes(readFileSync(new URL(`./${name}.ts`, import.meta.url), "utf8").trim()));
    });
  }

  it("find what they look for", async () => {
    const squares = await found("sweep", await sweep.search(given));
    assert.deepEqual(
      squares.map((outcome) => (outcome.ok ? outcome.value : undefined)),
      [1, 4, 9],
    );
    assert.ok(Math.abs((await found("generator", await generator.search(given))) - Math.PI) < 1e-5);
    const { best } = await found("tree", await tree.search(given));
    assert.equal(best?.state, "10110100");
    const { point } = await found("evolution", await evolution.search(given));
    assert.ok(Math.abs(point[0] - 1) < 1e-3 && Math.abs(point[1] - 1) < 1e-3, String(point));
    const studied = await found("study", await study.search(given));
    const { shape, x } = studied.trials[studied.best ?? -1].point;
    assert.ok(shape === "bowl" && Math.abs(Number(x) - 2) < 0.5, String(x));
    const { best: cheapest, evaluations } = await found("space", await space.search(given));
    assert.deepEqual([cheapest?.point, evaluations], [{ batch: 64, threads: 4 }, 32]);
    const trained = await found("rungs", await rungs.search(given));
    const { point: longest, budget } = trained.trials[trained.best ?? -1];
    assert.equal(budget, 27);
    assert.ok(Math.abs(Math.log10(Number(longest.rate)) + 1.5) < 0.2, String(longest.rate));
  });
});
