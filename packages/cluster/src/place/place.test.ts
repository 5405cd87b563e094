import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Redis } from "ioredis";
import { noRedis, RedisServer } from "../../test/redis-server.ts";
import { checkPlace, clusterPlace, placesForWork, shownAddress, withoutPassword } from "../index.ts";

const at = (url: string) => clusterPlace({ redis: url }, {});

describe("the address of a cluster", () => {
  it("is needed, and must be one", () => {
    assert.throws(() => clusterPlace({}, {}), /^UsageError: a cluster needs a Redis: write redis:\/\//);
    for (const wrong of ["localhost:6379", "http://host", "redis://host/name", "open sesame"]) {
      assert.throws(
        () => at(wrong),
        (error: Error) => /cannot be read: write/.test(error.message) && !error.message.includes(wrong),
      );
    }
    assert.throws(() => clusterPlace({ redis: "redis://h", queue: "a:b" }, {}), /the queue "a:b" is not a name/);
    assert.throws(
      () => clusterPlace({}, { COPPICE_REDIS: "redis://h", COPPICE_PATIENCE: "1" }),
      /COPPICE_PATIENCE is "1"/,
    );
  });

  it("takes no options, which nobody would see", () => {
    for (const wrong of ["redis://host?db=3", "redis://host/1?tls=true", "redis://:open#sesame@host"]) {
      assert.throws(
        () => at(wrong),
        (error: Error) => error.name === "UsageError" && !error.message.includes("sesame"),
      );
    }
    assert.throws(() => at("redis://:open%sesame@host"), /has a "%" in its user or password .*: write %25$/);
    assert.throws(() => at("redis://host?db=3"), /it takes no options \(a database: redis:\/\/host:6379\/3\)/);
  });

  it("shows no password, and takes none from the command line", () => {
    const url = "rediss://me:open-sesame@host:6380/2";
    assert.equal(shownAddress(at(url)), "rediss://host:6380/2");
    assert.equal(shownAddress(at("redis://me:open-sesame@host/0")), "redis://host");
    assert.throws(() => withoutPassword("http://host"), /cannot be read/);
    assert.throws(
      () => withoutPassword(url),
      (error: Error) => !error.message.includes("sesame") && /COPPICE_REDIS/.test(error.message),
    );
  });
});

describe("a Redis", { skip: noRedis === undefined ? false : `skipped: ${noRedis}` }, () => {
  it("that is not there is named", async () => {
    await assert.rejects(
      checkPlace(at("redis://127.0.0.1:1")),
      /^UsageError: there is no Redis at redis:\/\/127\.0\.0\.1:1 \(ECONNREFUSED\)/,
    );
  });

  it("that wants another password says so, and not which", async () => {
    await using redis = await RedisServer.start(["--requirepass", "right"]);
    const address = `127.0.0.1:${redis.port}`;
    for (const url of [`redis://${address}`, `redis://:wrong@${address}`]) {
      await assert.rejects(
        checkPlace(at(url)),
        (error: Error) =>
          /does not accept this user and password/.test(error.message) && !error.message.includes("wrong"),
      );
    }
    await checkPlace(at(`redis://:right@${address}`));
  });

  it("that has no such database, or none of its own for this user, is refused", async () => {
    await using redis = await RedisServer.start("--user planning on >right ~planning:* +@all".split(" "));
    await checkPlace(at(`${redis.url}/15`));
    for (const database of ["16", "99999999999999999999"]) {
      await assert.rejects(
        checkPlace(at(`${redis.url}/${database}`)),
        new RegExp(`^UsageError: the Redis at \\S+/${database} has no database ${database}:`),
      );
    }
    const url = `redis://planning:right@127.0.0.1:${redis.port}`;
    await checkPlace(clusterPlace({ redis: url, prefix: "planning" }, {}));
    await assert.rejects(
      checkPlace(at(url)),
      /^UsageError: the user "planning" of the Redis at \S+ may not use the prefix "coppice": set COPPICE_REDIS_PREFIX/,
    );
  });

  it("that speaks no TLS is asked whether it does", async () => {
    await using redis = await RedisServer.start();
    await assert.rejects(
      checkPlace(at(redis.url.replace("redis:", "rediss:"))),
      /^UsageError: no TLS connection to rediss:\S+ within 5 s: does it speak TLS\?/,
    );
  });

  it("with an eviction policy that has nothing to do is used without a word", async (t) => {
    const warn = t.mock.method(console, "warn", () => {});
    await using redis = await RedisServer.start(["--maxmemory-policy", "allkeys-lru"]);
    await checkPlace(at(redis.url));
    assert.equal(await placesForWork(at(redis.url)), 0);
    assert.equal(warn.mock.callCount(), 0);
  });

  it("that throws keys away is refused", async () => {
    await using redis = await RedisServer.start(["--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"]);
    await assert.rejects(
      checkPlace(at(redis.url)),
      /throws keys away when its memory is full \(maxmemory-policy allkeys-lru\)/,
    );
  });

  it("that another version of coppice uses under the same prefix is refused", async () => {
    await using redis = await RedisServer.start();
    const client = new Redis(redis.url);
    await client.sadd("coppice:work.workers", "old");
    await client.set("coppice:work.worker.old", JSON.stringify({ protocol: 0, host: "attic", pid: 1, concurrency: 1 }));
    client.disconnect();
    await assert.rejects(placesForWork(at(redis.url)), /in use by another version of coppice \(attic speaks version 0/);
  });
});
