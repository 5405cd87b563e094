import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import fc from "fast-check";
import type { Disturbance } from "../../test/evaluators/eventful.ts";
import { interleaved } from "../../test/interleaved-pool.ts";
import { type Shape, Shaped } from "../../test/searches.ts";
import { soak } from "../../test/soak.ts";
import type { PoolFactory } from "../contract/pool.ts";
import { inline } from "../pools/in-process.ts";
import { processes } from "../pools/processes.ts";
import { threads } from "../pools/threads.ts";
import { start } from "./start.ts";

const evaluator = new URL("../../test/evaluators/eventful.ts", import.meta.url);

const shapes: fc.Arbitrary<Shape> = fc.record({
  kind: fc.constantFrom("batch", "waiting", "endless"),
  total: fc.integer({ min: 1, max: 40 }),
  width: fc.integer({ min: 1, max: 12 }),
  keys: fc.integer({ min: 1, max: 80 }),
  withdrawEvery: fc.constantFrom(0, 0, 3, 7),
});

let runs = 0;
const directory = mkdtempSync(join(tmpdir(), "coppice-determinism-"));
after(() => rmSync(directory, { recursive: true, force: true }));

const calm: Disturbance = { noise: 0, longestMs: 0, failOneIn: 0, flakyOneIn: 0, crashes: undefined };

interface Schedule {
  readonly shape: Shape;
  readonly lookahead: number;
  readonly seed: number;
  readonly failOneIn: number;
}

async function digestOf(
  { shape, lookahead, seed }: Schedule,
  pool: PoolFactory,
  context: Disturbance,
  journal: boolean,
) {
  const run = await start({
    search: new Shaped(shape),
    evaluator,
    context,
    pool,
    lookahead,
    seed,
    retries: 2,
    backoffMs: 1,
    ...(journal ? { journal: { directory: join(directory, String(runs++)) } } : {}),
  });
  const { digest, result } = await run.finished;
  return { digest, result };
}

describe("determinism", () => {
  it("gives one digest for any completion order a pool could produce (random schedules)", async () => {
    const schedule = fc.record({
      shape: shapes,
      lookahead: fc.constantFrom(1, 2, 5, 16, 1024),
      maxInFlight: fc.integer({ min: 1, max: 40 }),
      lateValues: fc.boolean(),
      failOneIn: fc.constantFrom(0, 3),
      choices: fc.infiniteStream(fc.nat()),
    });
    const evaluate = (failOneIn: number) => (candidate: unknown, _key: string, attempt: number) => {
      const { n, mixed } = candidate as { n: number; mixed: number };
      if (failOneIn > 0 && n % failOneIn === 2) throw new RangeError(`cannot evaluate ${n}`);
      if (n % 5 === 3 && attempt === 0) throw new Error("try again");
      return Math.sin(n) + mixed;
    };
    await fc.assert(
      fc.asyncProperty(schedule, async ({ shape, lookahead, maxInFlight, lateValues, failOneIn, choices }) => {
        const base = { shape, lookahead, seed: 1, failOneIn };
        const serial = interleaved(evaluate(failOneIn), { choose: () => 0, maxInFlight: 1 });
        const choose = (count: number) => (choices.next().value as number) % count;
        const shuffled = interleaved(evaluate(failOneIn), { choose, maxInFlight, lateValues });
        assert.deepEqual(await digestOf(base, shuffled, calm, false), await digestOf(base, serial, calm, false));
      }),
      { numRuns: soak(100, 300) },
    );
  });

  it("gives one digest on threads and processes, 1 to 8 workers, any chunk, delays, failures and crashes (random runs)", async () => {
    const kinds = { threads, processes };
    const schedule = fc.record({
      shape: shapes,
      lookahead: fc.constantFrom(1, 4, 32, 1024),
      seed: fc.nat({ max: 1000 }),
      failOneIn: fc.constantFrom(0, 4),
      kind: fc.constantFrom<("threads" | "processes")[]>("threads", "threads", "processes"),
      workers: fc.constantFrom(1, 1, 2, 2, 2, 3, 4, 8),
      chunk: fc.constantFrom<(number | "auto")[]>("auto", 1, 3, 16),
      noise: fc.nat(),
      longestMs: fc.constantFrom(0, 2, 6),
      flakyOneIn: fc.constantFrom(0, 5),
      crashOneIn: fc.constantFrom(0, 0, 0, 20),
      journal: fc.boolean(),
    });
    let number = 0;
    await fc.assert(
      fc.asyncProperty(
        schedule,
        async ({ kind, workers, chunk, noise, longestMs, flakyOneIn, crashOneIn, journal, ...base }) => {
          const reference = await digestOf(base, inline(), { ...calm, failOneIn: base.failOneIn }, false);
          const folder = mkdtempSync(join(directory, `crashes-${number++}-`));
          const crashes = crashOneIn === 0 ? undefined : { oneIn: crashOneIn, folder };
          const disturbed = { noise, longestMs, failOneIn: base.failOneIn, flakyOneIn, crashes };
          assert.deepEqual(await digestOf(base, kinds[kind]({ workers, chunk }), disturbed, journal), reference);
        },
      ),
      { numRuns: soak(6, 200), endOnFailure: true }, // shrinking real processes would take for ever
    );
  });
});
