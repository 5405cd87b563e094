import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { describe, it } from "node:test";
import { usDay } from "../instance/us-day.ts";
import { networkModels } from "../network-rates/network-model.ts";
import { type CrewRequest, RateCrew } from "./rate-crew.ts";
import { RateFinder } from "./rate-finder.ts";

const alone: CrewRequest = {
  workers: 0,
  pool: "threads",
  chunkSize: undefined,
  maxTasksInFlight: undefined,
  cacheFile: undefined,
  profile: false,
};
const day = usDay();
const task = { volume: day.volumeIds.indexOf("ARR:SFO"), window: [28, 46], flows: [0, 1], mode: "per_flow" } as const;
const finder = () => new RateFinder(networkModels(day), { adaptiveGrid: true });

describe("the crew of a rate search", () => {
  it("F-25: is never larger than the machine, says so, and finds the same", async () => {
    const cores = availableParallelism();
    using many = new RateCrew({ ...alone, workers: cores + 7 });
    assert.match(many.notices.join(), new RegExp(`--num-workers-rf: asked for ${cores + 7} workers, using ${cores}`));
    using fitting = new RateCrew({ ...alone, workers: 1 });
    assert.deepEqual(fitting.notices, []);
    const serial = finder().find(task);
    assert.deepEqual(await many.find(finder(), task), serial);
    assert.deepEqual(await fitting.find(finder(), task), serial);
  });

  it("F-28: is this process alone unless workers are asked for", async () => {
    using crew = new RateCrew(alone);
    const before = process.getActiveResourcesInfo().toSorted();
    const finding = crew.find(finder(), task);
    assert.deepEqual(process.getActiveResourcesInfo().toSorted(), before, "nothing was started");
    assert.deepEqual(await finding, finder().find(task));
  });
});
