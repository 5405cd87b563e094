import assert from "node:assert/strict";
import { it } from "node:test";
import { Redis } from "ioredis";
import { PATIENCE_SECONDS } from "../coordinator.ts";
import { noRedis, Scene } from "./faults.ts";

it("claims seats and chunks for no longer than others are patient", {
  skip: noRedis === undefined ? false : `skipped: ${noRedis}`,
}, async () => {
  await using scene = await Scene.begin();
  const { run, ended } = await scene.begin();
  await scene.told(run, 10);
  const client = new Redis(scene.redis.url);
  try {
    const locks = await client.keys("coppice:work*:lock");
    const seats = locks.filter((key) => key.startsWith("coppice:work:"));
    assert.equal(seats.length, 2);
    for (const lock of locks) {
      const leftMs = await client.pttl(lock);
      assert.ok(leftMs <= PATIENCE_SECONDS * 1000, `${lock}: ${leftMs} ms`);
    }
  } finally {
    client.disconnect();
  }
  await ended;
});
