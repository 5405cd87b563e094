import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { noRedis, RedisServer } from "../../test/redis-server.ts";
import { removeRun, sweepRuns } from "./clear-away.ts";
import { clusterPlace } from "./redis-address.ts";
import { placeNames } from "./redis-keys.ts";

describe("what is left of a run", { skip: noRedis === undefined ? false : `skipped: ${noRedis}` }, () => {
  it("is gone after a sweep, wherever another who removed it was ended, before or behind somebody else", async () => {
    await using server = await RedisServer.start();
    const place = clusterPlace({ redis: server.url }, {});
    const names = placeNames(place);
    const { queue, orderEvents, description } = names.run("1a2b");
    const redis = new Redis(server.url, { maxRetriesPerRequest: null });
    try {
      for (let commands = 1, ended = true; ended; commands++) {
        for (const isFirst of [true, false]) {
          const tasks = new Queue(queue, { connection: redis, prefix: place.prefix });
          await tasks.add("task", {});
          await redis.xadd(orderEvents, "*", "event", "order");
          await redis.multi().set(description, "{}").sadd(names.runs, "1a2b").exec();
          if (!isFirst) await removeRun(redis, place, "1a2b");
          ended = await endedAfter(commands, server.url, (theirs) => removeRun(theirs, place, "1a2b"));
          await sweepRuns(redis, place);
          assert.deepEqual(
            await redis.keys("*"),
            [],
            `ended after ${commands} commands, ${isFirst ? "alone" : "behind"}`,
          );
          await tasks.close();
        }
      }
    } finally {
      redis.disconnect();
    }
  });

  it("is removed by several at once, and none of them fails", async () => {
    await using server = await RedisServer.start();
    const place = clusterPlace({ redis: server.url }, {});
    const connections = Array.from({ length: 8 }, () => new Redis(server.url, { maxRetriesPerRequest: null }));
    try {
      for (let turn = 0; turn < 20; turn++) {
        const tasks = new Queue(placeNames(place).run("1a2b").queue, {
          connection: connections[0],
          prefix: place.prefix,
        });
        await tasks.addBulk(Array.from({ length: 20 }, () => ({ name: "task", data: {} })));
        await Promise.all(connections.map((redis) => removeRun(redis, place, "1a2b")));
        assert.deepEqual(await connections[0].keys("*"), []);
        await tasks.close();
      }
    } finally {
      for (const redis of connections) redis.disconnect();
    }
  });
});

/** Does something over a connection that is cut for good after so many commands; whether that was too few. */
async function endedAfter(commands: number, url: string, work: (redis: Redis) => Promise<void>): Promise<boolean> {
  const redis = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => null });
  redis.on("error", () => {});
  await redis.ping();
  let left = commands;
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    if (left-- === 0) redis.disconnect();
    return send(command, stream);
  };
  const done = work(redis).then(
    () => true,
    () => false,
  );
  const isDone = await Promise.race([done, new Promise<boolean>((give) => redis.once("end", () => give(false)))]);
  redis.disconnect();
  return !isDone;
}
