import { after, it } from "node:test";
import { poolConformance } from "@coppice/engine/conformance";
import { noRedis, RedisServer } from "../../test/redis-server.ts";
import { TestWorker } from "../../test/workers.ts";

if (noRedis === undefined) {
  const redis = await RedisServer.start();
  process.env.COPPICE_REDIS = redis.url;
  process.env.COPPICE_PATIENCE = "3";
  const worker = await TestWorker.start(redis.url, { concurrency: 24 });
  after(async () => {
    await worker.kill();
    await redis[Symbol.asyncDispose]();
  });
  const exemptions = { "shares arrays without a copy": "machines have no memory in common" };
  const everyDay = ["settling", "dying"];
  await poolConformance(new URL("./cluster-pool.ts", import.meta.url), "cluster", exemptions, everyDay);
} else {
  it("is a pool like any other", { skip: `skipped: ${noRedis}` }, () => {});
}
