import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { planningWorkers } from "./planning-workers.ts";

const wish = { workers: undefined, mostUseful: Number.POSITIVE_INFINITY, rateWorkers: 0 };

describe("who plans", () => {
  it("F-12: by default half of the cores search at once, from 1 to 4", () => {
    const usual = [1, 2, 3, 4, 8, 64].map((cores) => planningWorkers({ ...wish, cores }).workers);
    assert.deepEqual(usual, [1, 1, 1, 2, 4, 4]);
  });

  it("walkers get all cores, but no more than there are walkers", () => {
    const usual = [1, 2, 16, 64].map((cores) => planningWorkers({ ...wish, together: true, mostUseful: 20, cores }));
    assert.deepEqual(
      usual.map(({ workers }) => workers),
      [1, 2, 16, 20],
    );
  });

  it("F-25: searches times their rate workers never exceed the cores, and whoever asked for more is told", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 64 }),
        fc.integer({ min: 1, max: 80 }),
        fc.integer({ min: 1, max: 80 }),
        (cores, workers, rateWorkers) => {
          const crew = planningWorkers({ ...wish, workers, rateWorkers, cores });
          assert.ok(crew.workers * crew.rateWorkers <= cores, JSON.stringify(crew));
          assert.ok(crew.workers >= 1 && crew.rateWorkers >= 1);
          const less = Number(crew.workers < workers) + Number(crew.rateWorkers < rateWorkers);
          assert.equal(crew.notices.length, less);
        },
      ),
    );
    assert.deepEqual(planningWorkers({ ...wish, workers: 2, rateWorkers: 4, cores: 4 }), {
      workers: 2,
      rateWorkers: 2,
      notices: ["--num-workers-rf: asked for 4 workers, using 2: 2 cores are free here"],
    });
  });

  it("F-28: rate workers are off unless asked for, and no worker is without a search", () => {
    assert.equal(planningWorkers({ ...wish, cores: 16 }).rateWorkers, 0);
    assert.equal(planningWorkers({ ...wish, workers: 8, mostUseful: 3, cores: 16 }).workers, 3);
  });
});
