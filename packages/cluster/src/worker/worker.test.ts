import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { inline, type Search, start } from "@coppice/engine";
import { Redis } from "ioredis";
import { Listed } from "../../test/listed.ts";
import { noRedis, RedisServer } from "../../test/redis-server.ts";
import { userEvaluator } from "../../test/user-evaluator.ts";
import { Allowed, BlobCache, callRoll, checkPlace, cluster, clusterPlace, WorkerLoop } from "../index.ts";

const PASSWORD = "open-sesame-18";

const redis = noRedis === undefined ? await RedisServer.start(["--requirepass", PASSWORD]) : undefined;

describe("a worker", { skip: noRedis === undefined ? false : `skipped: ${noRedis}` }, () => {
  const folder = mkdtempSync(join(tmpdir(), "coppice-worker-"));
  const place = clusterPlace(
    {},
    { COPPICE_REDIS: `redis://:${PASSWORD}@127.0.0.1:${redis?.port}`, COPPICE_PATIENCE: "3" },
  );
  const lines: string[] = [];
  let workers = 0;
  after(async () => {
    await redis?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  function worker(allowed: Allowed, cacheMb = 100): WorkerLoop {
    const cache = new BlobCache(join(folder, "cache"), cacheMb, (line) => lines.push(line));
    const log = (line: string) => void lines.push(line);
    workers++;
    return new WorkerLoop({ place, concurrency: 1, pool: "threads", allowed, cache, bases: [import.meta.url], log });
  }

  async function run<Candidate>(
    search: Search<Candidate, unknown, readonly string[]>,
    evaluator: URL,
    shared: Readonly<Record<string, SharedArrayBuffer>> = {},
    pool = cluster({ workers: 1 }, place),
  ) {
    const journal = { directory: join(folder, `run-${workers}-${performance.now()}`) };
    const going = await start({ search, evaluator, pool, shared, lookahead: 4, journal });
    const notes: string[] = [];
    going.subscribe((event) => {
      if (event.type === "note") notes.push(event.message);
    });
    return { ...(await going.finished), notes };
  }

  /** Keys of runs in Redis. */
  async function keysOfRuns(): Promise<string[]> {
    const client = new Redis(place.url);
    const keys = await client.keys("*");
    client.disconnect();
    return keys.filter((key) => !/^coppice:work(:|\.worker)/.test(key));
  }

  const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

  it("fetches a user's own evaluator with what it imports, and has the same digest", async () => {
    const own = userEvaluator();
    const there = worker(new Allowed([], true));
    try {
      const [here, away] = [
        await run(new Listed(numbers(20)), own.url, {}, inline()),
        await run(new Listed(numbers(20)), own.url),
      ];
      assert.equal(away.digest, here.digest);
      assert.deepEqual(away.result.slice(0, 4), ["0", "1", "4", "9"]);
      assert.deepEqual(await keysOfRuns(), []);
    } finally {
      await there.leave();
      own.remove();
    }
  });

  it("refuses what its operator did not allow, and the run says who lacks what, where", async () => {
    const own = userEvaluator();
    // Its package is allowed, but not installed: what is sent in its place is not it.
    const there = worker(new Allowed(["@coppice/*", "somebodys-own"], false));
    try {
      await assert.rejects(
        run(new Listed(numbers(3)), own.url),
        /no worker can work for this run: \S+: somebodys-own\/squares\.ts is not among what it is allowed to run.*sha256:[0-9a-f]{16}\)/,
      );
      assert.deepEqual(await keysOfRuns(), []);
    } finally {
      await there.leave();
      own.remove();
    }
  });

  it("says where and why when an evaluator that was sent looks for a file beside itself", async () => {
    const own = userEvaluator();
    writeFileSync(new URL("./table.json", own.url), "[1, 4]");
    const reads = new URL("./reads.ts", own.url);
    const imports = new URL("./imports.ts", own.url);
    writeFileSync(
      reads,
      `import { readFileSync } from "node:fs";
const table = JSON.parse(readFileSync(new URL("./table.json", import.meta.url), "utf8"));
export default { evaluate: (_state: unknown, x: number) => table[x] };
`,
    );
    writeFileSync(
      imports,
      `import table from "./table.json" with { type: "json" };
export default { evaluate: (_state: unknown, x: number) => table[x] };
`,
    );
    const there = worker(new Allowed([], true));
    try {
      await assert.rejects(
        run(new Listed(numbers(2)), reads),
        new RegExp(`ENOENT.*, on ${hostname()}: only what an evaluator imports is sent with it`),
      );
      assert.deepEqual((await run(new Listed(numbers(2)), imports)).result, ["1", "4"]);
    } finally {
      await there.leave();
      own.remove();
    }
  });

  it("is not sent an evaluator that imports what is not there", async () => {
    const own = userEvaluator();
    const broken = new URL("./broken.ts", own.url);
    writeFileSync(broken, 'import { q } from "./nope.ts";\nexport default { evaluate: () => q };\n');
    const there = worker(new Allowed([], true));
    try {
      await assert.rejects(
        run(new Listed(numbers(2)), broken),
        /^UsageError: evaluator \S+broken\.ts cannot be loaded: Could not resolve "\.\/nope\.ts" \(\S*broken\.ts:1\)$/,
      );
    } finally {
      await there.leave();
      own.remove();
    }
  });

  it("carries what is too long for a queue by reference, and leaves none of it", async () => {
    const shared = { numbers: new SharedArrayBuffer(16) };
    new Float64Array(shared.numbers)[1] = 7;
    const evaluator = new URL("../../test/evaluators/heavy.ts", import.meta.url);
    const texts = ["a", "b".repeat(400_000), "c".repeat(700_000)];
    const there = worker(new Allowed([], true));
    try {
      const here = await run(new Listed(texts), evaluator, shared, inline());
      const away = await run(new Listed(texts), evaluator, shared);
      assert.equal(away.digest, here.digest);
      assert.deepEqual(away.result, ["1:7:yyyyyyyyyyyyyyyy", "400000:7:yyyyyyyyyyy", "700000:7:yyyyyyyyyyy"]);
      assert.deepEqual(await keysOfRuns(), []);
      // What is damaged on this disk is fetched again.
      for (const file of readdirSync(join(folder, "cache"))) writeFileSync(join(folder, "cache", file), "damaged");
      assert.equal((await run(new Listed(texts), evaluator, shared)).digest, here.digest);
    } finally {
      await there.leave();
    }
  });

  it("works without its cache when the disk takes nothing", async () => {
    const shared = { numbers: new SharedArrayBuffer(16) };
    const evaluator = new URL("../../test/evaluators/heavy.ts", import.meta.url);
    const there = worker(new Allowed([], true));
    rmSync(join(folder, "cache"), { recursive: true });
    try {
      const here = await run(new Listed(["a"]), evaluator, shared, inline());
      assert.equal((await run(new Listed(["a"]), evaluator, shared)).digest, here.digest);
      assert.ok(lines.some((line) => line.startsWith("not kept in")));
    } finally {
      await there.leave();
    }
  });

  it("tells people that nobody works, and goes on waiting", async () => {
    const evaluator = new URL("../../test/evaluators/delayed-square.ts", import.meta.url);
    const search = new Listed(numbers(3));
    const going = await start({ search, evaluator, context: { longestMs: 1 }, pool: cluster({ workers: 1 }, place) });
    const { promise, resolve } = Promise.withResolvers<string>();
    going.subscribe((event) => {
      if (event.type === "note") resolve(event.message);
    });
    assert.match(await promise, /^nobody works on queue "work" at redis:\/\/127\.0\.0\.1:\d+: start "coppice worker/);
    const there = worker(new Allowed([], true));
    assert.deepEqual((await going.finished).result, ["0", "1", "4"]);
    await there.leave();
  });

  it("needs no more of Redis than docs/cluster.md says, and sees nothing of another team there", async () => {
    const page = readFileSync(new URL("../../../../docs/cluster.md", import.meta.url), "utf8");
    const [, rights] = /^ACL SETUSER planning (.*)$/m.exec(page) ?? [];
    const admin = new Redis(place.url);
    await admin.call("ACL", "SETUSER", "planning", ...rights.split(" "));
    const [, password] = />(\S+)/.exec(rights) ?? [];
    const team = { ...place, url: `redis://planning:${password}@127.0.0.1:${redis?.port}`, prefix: "planning" };
    await checkPlace(team);
    const evaluator = new URL("../../test/evaluators/delayed-square.ts", import.meta.url);
    const cache = new BlobCache(join(folder, "cache"), 100, () => {});
    const own = { concurrency: 1, pool: "threads", allowed: new Allowed([], true), cache, bases: [import.meta.url] };
    const there = new WorkerLoop({ ...own, place: team, log: () => {} });
    const search = new Listed(numbers(3));
    const going = await start({ search, evaluator, context: { longestMs: 1 }, pool: cluster({ workers: 1 }, team) });
    assert.deepEqual((await going.finished).result, ["0", "1", "4"]);
    await there.leave();
    assert.equal((await callRoll(team)).runs.length, 0);
    await assert.rejects(callRoll({ ...team, prefix: "coppice" }), /NOPERM/);
    admin.disconnect();
  });

  it("works for several runs at once, and for none of another queue or team", async () => {
    const evaluator = new URL("../../test/evaluators/delayed-square.ts", import.meta.url);
    const elsewhere = [
      { ...place, queue: "other" },
      { ...place, prefix: "team" },
    ];
    const cache = new BlobCache(join(folder, "cache"), 100, () => {});
    const own = { concurrency: 2, pool: "threads", allowed: new Allowed([], true), cache, bases: [import.meta.url] };
    const said = new Map<string, string[]>();
    const there = [place, ...elsewhere].map((each) => {
      const heard: string[] = [];
      said.set(`${each.prefix}/${each.queue}`, heard);
      return new WorkerLoop({ ...own, place: each, log: (line) => void heard.push(line) });
    });
    const begin = (pool: ReturnType<typeof cluster>) =>
      start({ search: new Listed(numbers(12)), evaluator, context: { longestMs: 20 }, pool });
    // Two in one queue, each with one of its worker's places: neither waits for the other to end.
    const mine = await Promise.all([begin(cluster({ workers: 1 }, place)), begin(cluster({ workers: 1 }, place))]);
    const theirs = await begin(cluster({ workers: 1 }, elsewhere[0]));
    const ended = await Promise.all([...mine, theirs].map(({ finished }) => finished));
    assert.equal(new Set(ended.map(({ digest }) => digest)).size, 1);
    const runs = (name: string) => said.get(name)?.filter((line) => line.endsWith(": taken")).length;
    assert.deepEqual([runs("coppice/work"), runs("coppice/other"), runs("team/work")], [2, 1, 0]);
    await Promise.all(there.map((each) => each.leave()));
  });

  it("writes no password into a run's directory or its own lines", () => {
    for (const name of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (name.isFile()) assert.ok(!readFileSync(join(name.parentPath, name.name)).includes(PASSWORD), name.name);
    }
    assert.ok(lines.length > 0);
    assert.ok(lines.every((line) => !line.includes(PASSWORD)));
  });
});

describe("what a worker is allowed to run", () => {
  const base = import.meta.url;
  const hash = "0".repeat(64);
  const planner = { package: "@coppice/engine", path: "src/command/evaluator.ts", hash };

  it("does not cover evaluators that start programs, unless they are named themselves", () => {
    assert.equal(new Allowed(["@coppice/*"], false).installed(planner, base), false);
    assert.equal(new Allowed(["@coppice/engine/src/command/evaluator.ts"], false).installed(planner, base), true);
  });

  it("never leads out of a package, nor to a file without one", () => {
    const outside = { ...planner, path: "../../../tmp/evil.ts" };
    for (const any of [true, false]) assert.equal(new Allowed(["@coppice/*"], any).installed(outside, base), false);
    assert.equal(new Allowed(["@coppice/*"], false).installed({ path: "evil.ts", hash }, base), false);
  });

  it("has bundles only by their hash", () => {
    const bundle = "ab".repeat(32);
    assert.equal(new Allowed(["@coppice/*", "somebodys-own"], false).bundle(bundle), false);
    assert.equal(new Allowed([`sha256:${bundle.slice(0, 16)}`], false).bundle(bundle), true);
    for (const wrong of ["sha256:12", "*", "@coppice/../x", "@*/x", "../x", "a/*", "my-search/.."]) {
      assert.throws(() => new Allowed([wrong], false), /neither a package/, wrong);
    }
    for (const right of ["@acme/*", "@acme/day", "my-search", "my-*", "my-search/src/day.ts"])
      new Allowed([right], false);
  });
});
