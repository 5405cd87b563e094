import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { random } from "@coppice/engine";
import { soak } from "@coppice/engine/soak";
import { faults, noRedis, Scene } from "./faults.ts";

describe("faults on a cluster", { skip: noRedis === undefined ? false : `skipped: ${noRedis}` }, () => {
  const draw = random(18);
  for (const { name, strike } of faults) {
    it(`${name}: nothing is lost, told twice or left, and the digest is the same`, async () => {
      await using scene = await Scene.begin();
      const digest = await scene.reference();
      for (let i = 0; i < soak(1, 8); i++) {
        for (const ended of await strike(scene, draw.integer(1, 60))) {
          assert.equal(ended.digest, digest);
          assert.deepEqual(ended.told, [...ended.told.keys()]);
          assert.equal(ended.told.length, 80);
        }
        assert.deepEqual(await scene.keysLeft(), []);
        assert.equal(await scene.left(), 0);
      }
    });
  }
});
