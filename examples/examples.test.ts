import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  inline,
  processes,
  type RunDefinition,
  type RunDone,
  RunNotDone,
  type RunOption,
  type StartOptions,
  start,
  threads,
} from "@coppice/engine";
import { inTurn } from "@coppice/engine/soak";
import hyperparameters from "./hyperparameters/run.ts";
import knightsTour from "./knights-tour/run.ts";
import launchAngle from "./launch-angle/run.ts";
import numberGame from "./number-game/run.ts";
import travellingSalesman from "./travelling-salesman/run.ts";

const seed = 7;
const pools = [threads({ workers: 3, chunk: 2 }), processes({ workers: 2 })];
let turn = 0;

/** What `coppice run` would start for this module with these options. */
async function prepared<Options extends Readonly<Record<string, RunOption>>, Candidate, Value, Result, Context, State>(
  folder: string,
  run: RunDefinition<Options, Candidate, Value, Result, Context, State>,
  changed: Partial<Options>,
) {
  const options = { ...run.options, ...changed } as Options;
  const evaluator = new URL(run.evaluator ?? "run.ts", new URL(`${folder}/run.ts`, import.meta.url));
  return {
    seed,
    evaluator,
    search: await run.search({ seed, options }),
    context: await run.context?.({ seed, options }),
  };
}

/** Runs the example here and on pools in turn, in a soak on all of them, expects one digest, and gives its result. */
async function onPools<Candidate, Value, Result>(
  prepare: () => Promise<StartOptions<Candidate, Value, Result>>,
): Promise<Result> {
  const ends: RunDone<Result>[] = [];
  for (const pool of [inline(), ...inTurn(pools, turn++)])
    ends.push(await (await start({ ...(await prepare()), pool })).finished);
  const [{ digest, result }] = ends;
  for (const end of ends) {
    assert.equal(end.digest, digest);
    assert.deepEqual(end.result, result);
  }
  return result;
}

describe("examples", () => {
  it("launch-angle finds 45° in a vacuum, on different pools", { timeout: 300_000 }, async () => {
    const changed = { drag: 0, headWind: 0, speed: 10, points: 7 };
    const { x } = await onPools(() => prepared("launch-angle", launchAngle, changed));
    assert.ok(Math.abs(x - 45) < 0.01, `${x}°`);
  });

  it("travelling-salesman shortens its tour, on different pools", { timeout: 300_000 }, async () => {
    const changed = { cities: 80, rounds: 6, attempts: 8 };
    const { order, length, history } = await onPools(() =>
      prepared("travelling-salesman", travellingSalesman, changed),
    );
    assert.equal(new Set(order).size, 80);
    assert.equal(history.length, 6);
    assert.ok(length < history[0] && length === history[5]);
  });

  it("hyperparameters finds a better network than a short training, on different pools", {
    timeout: 300_000,
  }, async () => {
    const changed = { configurations: 27, points: 200 };
    const { best, rungs } = await onPools(() => prepared("hyperparameters", hyperparameters, changed));
    assert.deepEqual(
      rungs.map(({ trained, epochs }) => [trained, epochs]),
      [
        [27, 3],
        [9, 9],
        [3, 27],
        [1, 81],
      ],
    );
    assert.ok(best.error < rungs[0].bestError);
  });

  it("number-game reaches its target with the same tree on different pools", { timeout: 300_000 }, async () => {
    const changed = { numbers: "2 3 7 25 50", target: 442, evaluations: 3000 };
    const { best } = await onPools(() => prepared("number-game", numberGame, changed));
    assert.equal(best?.value, 0);
    assert.ok(best?.state.includes(442));
  });

  it("knights-tour visits every square with the same tree on different pools", { timeout: 300_000 }, async () => {
    const { best } = await onPools(() => prepared("knights-tour", knightsTour, { size: 5 }));
    assert.equal(best?.value, 25);
    assert.equal(new Set(best?.state).size, 25);
  });

  it("travelling-salesman, interrupted twice and resumed, ends as if it had not been", {
    timeout: 300_000,
  }, async () => {
    const directory = mkdtempSync(join(tmpdir(), "coppice-examples-"));
    const prepare = () => prepared("travelling-salesman", travellingSalesman, { cities: 60, rounds: 5, attempts: 8 });
    const undisturbed = await (await start({ ...(await prepare()), pool: inline() })).finished;
    for (const [session, stopAfter] of [9, 22, Number.POSITIVE_INFINITY].entries()) {
      const journal = { directory: join(directory, "run"), resume: session > 0 };
      const run = await start({ ...(await prepare()), pool: threads({ workers: 2 }), journal });
      run.subscribe((event) => {
        if (event.type === "told" && event.told >= stopAfter) run.interrupt();
      });
      if (stopAfter < Number.POSITIVE_INFINITY) await assert.rejects(run.finished, RunNotDone);
      else assert.equal((await run.finished).digest, undisturbed.digest);
    }
    rmSync(directory, { recursive: true, force: true });
  });
});
