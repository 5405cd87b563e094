import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { start } from "@coppice/engine";
import { Redis } from "ioredis";
import { Listed } from "../../test/listed.ts";
import { noRedis, RedisServer } from "../../test/redis-server.ts";
import { Wire } from "../../test/wire.ts";
import { Allowed, BlobCache, checkPlace, cluster, clusterPlace, WorkerLoop } from "../index.ts";
import { getBlob, putBlob } from "./blobs.ts";
import { placeNames } from "./redis-keys.ts";

const at = (url: string) => clusterPlace({ redis: url }, {});

describe("a Redis that is not as it should be", { skip: noRedis === undefined ? false : `skipped: ${noRedis}` }, () => {
  const folder = mkdtempSync(join(tmpdir(), "coppice-wrong-redis-"));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("is refused when it is too old", async () => {
    await using redis = await RedisServer.start();
    await using old = await Wire.to(redis.port, (bytes) =>
      Buffer.from(bytes.toString("latin1").replace(/(redis_version:)\d/, "$15"), "latin1"),
    );
    await assert.rejects(checkPlace(at(old.url)), /is version 5\.\S+; a cluster needs 6\.2 or later/);
    await checkPlace(at(redis.url));
  });

  it("is believed only with a certificate that is trusted", async (t) => {
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const made = spawnSync("openssl", [
      ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost".split(" "),
      ..."-addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout".split(" "),
      key,
      "-out",
      cert,
    ]);
    if (made.status !== 0) return t.skip("no openssl");
    const spare = await RedisServer.start();
    await spare[Symbol.asyncDispose]();
    const tls = ["--tls-port", `${spare.port}`, "--tls-cert-file", cert, "--tls-key-file", key];
    await using _redis = await RedisServer.start([...tls, "--tls-ca-cert-file", cert, "--tls-auth-clients", "no"]);
    const place = at(`rediss://localhost:${spare.port}`);
    await assert.rejects(
      checkPlace(place),
      /^UsageError: no TLS connection to rediss:\/\/localhost:\d+: .*NODE_EXTRA_CA_CERTS/,
    );
    const usual = getCACertificates();
    setDefaultCACertificates([...usual, readFileSync(cert, "utf8")]);
    try {
      await checkPlace(place);
      const cache = new BlobCache(join(folder, "cache"), 1, () => {});
      const own = { concurrency: 1, pool: "threads", allowed: new Allowed([], true), bases: [import.meta.url] };
      const worker = new WorkerLoop({ ...own, place, cache, log: () => {} });
      const evaluator = new URL("../../test/evaluators/delayed-square.ts", import.meta.url);
      const search = new Listed([3, 4]);
      const run = await start({ search, evaluator, context: { longestMs: 1 }, pool: cluster({ workers: 1 }, place) });
      assert.deepEqual((await run.finished).result, ["9", "16"]);
      await worker.leave();
    } finally {
      setDefaultCACertificates(usual);
    }
  });

  it("is not believed where something by reference has been changed", async () => {
    await using redis = await RedisServer.start();
    const client = new Redis(redis.url);
    const names = placeNames(at(redis.url)).run("00");
    const hash = await putBlob(client, names, Buffer.from("as it was"));
    assert.deepEqual(await getBlob(client, names, hash), Buffer.from("as it was"));
    await client.lset(names.blob(hash), 0, "as it is now");
    await assert.rejects(getBlob(client, names, hash), /has the hash [0-9a-f]{16}: it was changed in Redis/);
    client.disconnect();
  });

  it("is of no use to a worker whose cache is somebody else's", { skip: process.getuid?.() !== 0 }, () => {
    const directory = join(folder, "theirs");
    mkdirSync(directory);
    chownSync(directory, 12_345, 12_345);
    assert.throws(
      () => new BlobCache(directory, 1, () => {}),
      /^UsageError: the cache \S+ cannot be used: it belongs to somebody else; choose another with --cache-dir/,
    );
  });
});
