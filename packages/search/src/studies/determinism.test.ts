import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { inline, type PoolFactory, processes, type Search, start, threads } from "@coppice/engine";
import { soak } from "@coppice/engine/soak";
import fc from "fast-check";
import { METHODS, type MethodName, samplerNamed } from "../samplers/method.ts";
import { boolean, choice, defineSpace, integer, real, when } from "../space/define-space.ts";
import { HorizonStudies, type HorizonStudiesOptions } from "./horizon-studies.ts";
import { hyperband } from "./hyperband.ts";
import { study } from "./study.ts";

const evaluator = new URL("../../test/sampled-evaluator.ts", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "coppice-samplers-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const space = defineSpace(
  {
    rate: real(1e-4, 1, { log: true }),
    part: real(0, 1, { step: 0.05 }),
    width: integer(1, 64, { log: true }),
    kind: choice(["a", "b", "c"]),
    deep: when({ kind: ["a", "b"] }, boolean()),
    depth: when({ deep: true }, integer(2, 9)),
  },
  ({ part, rate }) => part + rate < 1.8,
);

interface Case {
  readonly method: MethodName | "horizons by steps" | "horizons by cma-es";
  readonly seed: number;
  readonly window: number;
  readonly repeats: number;
  readonly trials: number;
}

function searchFor({ method, seed, window, repeats, trials }: Case): Search<unknown, unknown, unknown> {
  if (method === "horizons by steps" || method === "horizons by cma-es") {
    const sampler = method === "horizons by steps" ? "steps" : "cma-es";
    return horizonSearch({ method: sampler, seed, window, trials });
  }
  const goal = { name: "value", better: "lower" } as const;
  if (method === "halving" || method === "hyperband") {
    const budget = { name: "epochs", min: 1, max: 9 };
    return hyperband({ space, goal, budget, brackets: method, trials, window, seed });
  }
  const goals = method === "nsga2" ? [goal, { name: "other", better: "higher" } as const] : [goal];
  return study({ space, goals, sampler: samplerNamed(method, { space, seed }), trials, window, seed, repeats });
}

/** Two horizons; the evaluator's value of a configuration is one of them, its other number the other. */
function horizonSearch(shape: Pick<HorizonStudiesOptions<number>, "method" | "seed" | "window" | "trials">) {
  return new HorizonStudies<number>({
    ...shape,
    horizons: ["value", "other"],
    parameters: ["a", "b", "c"].map((name) => ({
      name,
      path: [name],
      domain: { kind: "range", min: 0, max: 9, decimals: 1 },
    })),
    baseline: { value: { a: 1, b: 2, c: 3 }, other: { a: 4, b: 5, c: 6 } },
    objective: { wanted: "lower", value: (own) => own, better: (own, best) => best === undefined || own < best },
  });
}

let runs = 0;
/** The run, interrupted after so many tells and resumed, as often as there are numbers. */
async function digestOf(own: Case, pool: PoolFactory, noise: number, longestMs: number, stops: readonly number[] = []) {
  const directory = join(folder, String(runs++));
  const part = async (resume: boolean, stop: number | undefined) => {
    const journal = { directory, resume };
    const context = { noise, longestMs };
    const run = await start({ search: searchFor(own), evaluator, context, pool, seed: own.seed, journal });
    let told = 0;
    run.subscribe((event) => {
      if (event.type === "told" && ++told === stop) run.interrupt();
    });
    return run.finished.then(
      ({ digest, result }) => ({ digest, result }),
      () => undefined,
    );
  };
  let resume = false;
  for (const stop of stops) {
    const ended = await part(resume, stop);
    if (ended !== undefined) return ended;
    resume = true;
  }
  const ended = await part(resume, undefined);
  assert.ok(ended !== undefined);
  return ended;
}

describe("every sampler", () => {
  for (const method of [...METHODS, "horizons by steps", "horizons by cma-es"] as const) {
    it(`gives one digest for any workers, pools, delays, interruptions and resumes (${method})`, async () => {
      const disturbance = fc.record({
        kind: fc.constantFrom("threads", "threads", "threads", "processes"),
        workers: fc.constantFrom(1, 2, 3, 8),
        noise: fc.nat({ max: 1000 }),
        longestMs: fc.constantFrom(0, 3),
        stops: fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 2 }),
        seed: fc.nat({ max: 1000 }),
        window: fc.integer({ min: 1, max: 12 }),
        repeats: fc.constantFrom(1, 2),
      });
      await fc.assert(
        fc.asyncProperty(disturbance, async ({ kind, workers, noise, longestMs, stops, ...shape }) => {
          const own = { method, trials: 30, ...shape };
          const alone = await digestOf(own, inline(), 0, 0);
          const pool = kind === "threads" ? threads({ workers }) : processes({ workers });
          assert.deepEqual(await digestOf(own, pool, noise, longestMs, stops), alone);
        }),
        { numRuns: soak(1, 100), endOnFailure: true }, // shrinking real processes would take for ever
      );
    });
  }
});
