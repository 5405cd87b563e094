import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { inline, start, threads } from "@coppice/engine";
import { commandEvaluator } from "@coppice/engine/command";
import { spaceSearch } from "@coppice/search";
import run from "./python-evaluator/run.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const noPython = spawnSync("python3", ["--version"]).status === 0 ? false : "python3 is not installed";

describe("evaluators in other languages", () => {
  it("python-evaluator finds 45° in a vacuum with one long-lived program per worker", { skip: noPython }, async () => {
    const given = { seed: 1, options: { speed: 30, drag: 0, headWind: 0, points: 7, tolerance: 0.5 } };
    const command = ["python3", "python-evaluator/flight.py"];
    const digests = new Set<string>();
    for (const pool of [inline(), threads({ workers: 2 })]) {
      const context = await run.context?.(given);
      const evaluated = commandEvaluator({ command, cwd: here, mode: "lines", context });
      const { result, digest } = await (await start({ search: await run.search(given), ...evaluated, pool })).finished;
      assert.ok(Math.abs(result.x - 45) < 0.5, `${result.x}°`);
      digests.add(digest);
    }
    assert.equal(digests.size, 1);
  });

  it("shell-evaluator finds the best of a small space with a program per task", async () => {
    const { default: space } = await import("./shell-evaluator/space.json", { with: { type: "json" } });
    const parameters = [
      { name: "level", path: ["level"], domain: { kind: "range", min: 1, max: 9, decimals: 0 } },
      { name: "lines", path: ["lines"], domain: { kind: "choice", values: [2000, 4000] } },
    ] as const;
    assert.deepEqual(
      space.parameters.map(({ name }) => name),
      ["level", "lines"],
    );
    const search = spaceSearch({ parameters, objective: "minimize", evaluations: 18, seed: 0 });
    const evaluated = commandEvaluator({ command: ["./packed-size.sh"], cwd: `${here}/shell-evaluator` });
    const { result } = await (await start({ search, ...evaluated, pool: threads({ workers: 2 }) })).finished;
    assert.deepEqual([result.evaluations, result.failed], [18, 0]);
    assert.ok(result.best !== null && result.best.value > 1000 && result.best.value < 20_000, `${result.best?.value}`);
  });
});
