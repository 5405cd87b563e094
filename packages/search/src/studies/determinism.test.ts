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
import { drawnValues } from "../tournament/candidate-values.ts";
import { Tournament } from "../tournament/tournament.ts";
import { CrossValidation } from "./cross-validation.ts";
import { HorizonStudies } from "./horizon-studies.ts";
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

const OVER_HORIZONS = ["tournament", "horizons by steps", "horizons by cma-es", "cross-validation"] as const;
type HorizonMethod = (typeof OVER_HORIZONS)[number];

function isOverHorizons(method: string): method is HorizonMethod {
  return OVER_HORIZONS.some((each) => each === method);
}

interface Case {
  readonly method: MethodName | HorizonMethod;
  readonly seed: number;
  readonly window: number;
  readonly repeats: number;
  readonly trials: number;
}

function searchFor({ method, seed, window, repeats, trials }: Case): Search<unknown, unknown, unknown> {
  if (isOverHorizons(method)) return horizonSearch(method, { seed, window, trials });
  const goal = { name: "value", better: "lower" } as const;
  if (method === "halving" || method === "hyperband") {
    const budget = { name: "epochs", min: 1, max: 9 };
    return hyperband({ space, goal, budget, brackets: method, trials, window, seed });
  }
  const goals = method === "nsga2" ? [goal, { name: "other", better: "higher" } as const] : [goal];
  return study({ space, goals, sampler: samplerNamed(method, { space, seed }), trials, window, seed, repeats });
}

/** Two horizons; the evaluator's value of a configuration is one of them, its other number the other. */
function horizonSearch(
  method: HorizonMethod,
  { trials, ...shape }: Pick<Case, "seed" | "window" | "trials">,
): Search<unknown, unknown, unknown> {
  const whole = {
    horizons: ["value", "other"],
    parameters: ["a", "b", "c"].map((name) => ({
      name,
      path: [name],
      domain: { kind: "range", min: 0, max: 9, decimals: 1 } as const,
    })),
    baseline: { value: { a: 1, b: 2, c: 3 }, other: { a: 4, b: 5, c: 6 } },
    objective: lowest((own) => own),
  };
  switch (method) {
    case "tournament":
      return new Tournament<number>({ ...whole, values: drawnValues(shape.seed, 4), maxPasses: 2 });
    case "horizons by steps":
      return new HorizonStudies<number>({ ...whole, ...shape, trials, method: "steps" });
    case "horizons by cma-es":
      return new HorizonStudies<number>({ ...whole, ...shape, trials, method: "cma-es" });
    case "cross-validation": {
      const part = (name: string, of: (own: number) => number) => ({
        name,
        objective: lowest(of),
        left: (own: number) => own - of(own),
      });
      const folds = [part("whole", Math.floor), part("rest", (own) => own % 1)];
      // Five searches: with two charges one of two parts is left out, and one search has all.
      const options = { ...whole, ...shape, trials: Math.ceil(trials / 5), method: "steps" as const };
      return new CrossValidation<number>({ ...options, folds, charges: [0, 0.5] });
    }
  }
}

function lowest(value: (own: number) => number) {
  const better = (own: number, best: number | undefined) => best === undefined || value(own) < value(best);
  return { wanted: "lower", value, better } as const;
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
  for (const method of [...METHODS, ...OVER_HORIZONS]) {
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
