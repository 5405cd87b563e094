import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { random } from "@coppice/engine";
import { isLongSoak, onlyInSoak } from "@coppice/engine/soak";
import { faults, longOutages, noRedis, Scene, shortOutages, TASKS } from "./faults.ts";

const outages = isLongSoak() ? longOutages : shortOutages;

// Several at once: most of a fault is waiting until somebody is believed to be dead.
describe("faults on a cluster", {
  skip: noRedis === undefined ? false : `skipped: ${noRedis}`,
  concurrency: 3,
}, () => {
  const draw = random(18);
  /** A fault leaves a scene that works, and starting one is dear. */
  const free: Scene[] = [];
  after(() => Promise.all(free.map((scene) => scene[Symbol.asyncDispose]())));
  for (const [turn, { name, strike, impossible }] of faults.entries()) {
    // A third of them every day; all of them where CI soaks.
    const when = turn % 3 === 0 ? {} : onlyInSoak();
    const at = draw.integer(1, TASKS - 20);
    it(`${name}: nothing is lost, told twice or left, and the digest is the same`, when, async (t) => {
      const cannot = impossible?.();
      if (cannot !== undefined) return t.skip(`skipped: ${cannot}`);
      await using held = new AsyncDisposableStack();
      const scene = held.use(free.pop() ?? (await Scene.begin()));
      const digest = await scene.reference();
      for (const ended of await strike(scene, at, outages)) {
        assert.equal(ended.digest, digest);
        assert.deepEqual(ended.told, [...Array(TASKS).keys()]);
        assert.equal(ended.written, TASKS);
      }
      assert.deepEqual(await scene.keysLeft(), []);
      assert.equal(await scene.left(), 0);
      held.move();
      free.push(scene);
    });
  }
});
