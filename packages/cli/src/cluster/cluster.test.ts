import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { callRoll, clusterPlace, noRedisHere, PrivateRedis } from "@coppice/cluster";
import { onlyInSoak } from "@coppice/engine/soak";
import { assertRefused, coppice, ended, file, journaled, launch, SQUARES } from "../../test/coppice.ts";

const noRedis = noRedisHere();
const skip = noRedis === undefined ? false : `skipped: ${noRedis}`;
const team = "--user planning on >right ~planning:* +@all".split(" ");
const redis = noRedis === undefined ? await PrivateRedis.start(team) : undefined;
const folder = mkdtempSync(join(tmpdir(), "coppice-cluster-cli-"));
const url = redis?.url ?? "";
after(async () => {
  await redis?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts `coppice worker` as a process of its own and waits until it works. */
async function startWorker(t: TestContext, ...args: readonly string[]) {
  const all = ["worker", "--redis", url, "--cache-dir", join(folder, "cache"), ...args];
  const child = launch(folder, all, { COPPICE_PATIENCE: "3" }, t);
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  while (!said.includes("on queue")) await once(child.stderr ?? child, "data");
  return { child, said: () => said };
}

describe("coppice worker", { skip }, () => {
  it("finishes its task on SIGTERM, says who it is until then, and ends", async (t) => {
    const { child, said } = await startWorker(t, "--concurrency", "1", "--allow-any", "--queue", "slow");
    assert.match(said(), /WARNING: --allow-any/);
    const hold = file(folder, "held", "");
    const held = ["--option", "count=8", "--option", `heldWhile=${hold}`, "--pool", "cluster", "--redis", url];
    const line = ["run", SQUARES, ...held, "--json", "--quiet", "--run-dir", join(folder, "runs"), "--id", "slow"];
    // In a process of its own: the one that lines share is for `coppice workers`.
    const running = ended(launch(folder, line, { COPPICE_QUEUE: "slow", COPPICE_PATIENCE: "3" }, t));
    const list = async () => {
      const { stdout } = await coppice(folder, ["workers", "--redis", url, "--queue", "slow", "--json"]);
      return (JSON.parse(stdout) as { workers: { pid: number; runs: Record<string, number> }[] }).workers;
    };
    let seen = await list();
    for (; Object.keys(seen[0].runs).length === 0; seen = await list()) await wait(100);
    assert.deepEqual([seen[0].pid, Object.values(seen[0].runs)], [child.pid, [1]]);
    await journaled(join(folder, "runs", "slow"), 5);
    child.kill("SIGTERM");
    while (!said().includes("finishing what is under way")) await once(child.stderr ?? child, "data");
    assert.equal(child.exitCode, null);
    rmSync(hold);
    assert.deepEqual(await once(child, "exit"), [0, null]);
    // What it left is for the next.
    await startWorker(t, "--concurrency", "1", "--allow-any", "--queue", "slow");
    const { code, stdout, stderr } = await running;
    assert.equal(code, 0, stderr);
    assert.equal((JSON.parse(stdout) as { result: { sum: number } }).result.sum, 140);
  });

  it("leaves its task to others on the second SIGTERM", onlyInSoak(), async (t) => {
    const first = await startWorker(t, "--concurrency", "1", "--allow-any", "--queue", "left");
    const hold = file(folder, "hold", "");
    const held = ["--option", "count=8", "--option", `heldWhile=${hold}`, "--pool", "cluster", "--redis", url];
    const line = ["run", SQUARES, ...held, "--json", "--quiet", "--run-dir", join(folder, "runs"), "--id", "left"];
    const running = coppice(folder, line, { COPPICE_QUEUE: "left", COPPICE_PATIENCE: "3" });
    await journaled(join(folder, "runs", "left"), 5);
    first.child.kill("SIGTERM");
    while (!first.said().includes("finishing what is under way")) await once(first.child.stderr ?? first.child, "data");
    // It is among those who are there until it has left.
    const place = clusterPlace({ redis: url, queue: "left" }, {});
    const leaving = async () => (await callRoll(place)).workers.map(({ draining }) => draining);
    let there = await leaving();
    for (; there[0] === false; there = await leaving()) await wait(100);
    assert.deepEqual(there, [true]);
    assert.equal(first.child.exitCode, null);
    first.child.kill("SIGTERM");
    assert.deepEqual(await once(first.child, "exit"), [0, null]);
    rmSync(hold);
    await startWorker(t, "--concurrency", "1", "--allow-any", "--queue", "left");
    const { code, stdout, stderr } = await running;
    assert.equal(code, 0, stderr);
    assert.equal((JSON.parse(stdout) as { result: { sum: number } }).result.sum, 140);
  });

  it("ends when it is told to although its Redis is gone", async (t) => {
    await using own = await PrivateRedis.start();
    const { child, said } = await startWorker(t, "--redis", own.url);
    await own.kill();
    child.kill("SIGTERM");
    assert.deepEqual(await once(child, "exit"), [0, null], said());
  });

  it("is refused, like a run and a question who works, with another team's prefix", async () => {
    const cache = join(folder, "cache");
    for (const args of [["worker", "--cache-dir", cache], ["workers"], ["run", SQUARES, "--pool", "cluster"]]) {
      const ended = await coppice(folder, args, { COPPICE_REDIS: url.replace("//", "//planning:right@") });
      assertRefused(ended, /the user "planning" of .* may not use the prefix "coppice": set COPPICE_REDIS_PREFIX/);
    }
  });

  it("tries a cluster from nothing to nothing", { timeout: 300_000 }, async () => {
    const { code, stdout, stderr } = await coppice(folder, ["cluster", "try", "--json"]);
    assert.equal(code, 0, stderr);
    assert.equal((JSON.parse(stdout) as { same: boolean }).same, true);
  });
});

describe("a cluster that cannot be", () => {
  const wrong: readonly (readonly [string, readonly string[], RegExp])[] = [
    ["no address", ["workers"], /a cluster needs a Redis: write redis:\/\//],
    ["a password for everybody to see", ["worker", "--redis", "redis://:sesame@h"], /--redis has a password in it/],
    [
      "the same for a run",
      ["run", SQUARES, "--pool", "cluster", "--redis", "redis://:sesame@h"],
      /has a password in it/,
    ],
    ["nobody there", ["run", SQUARES, "--pool", "cluster", "--redis", "redis://127.0.0.1:1"], /there is no Redis at/],
    ["what cannot be allowed", ["worker", "--redis", "redis://h", "--allow", "a b"], /--allow "a b" is neither/],
    ["whatever comes", ["worker", "--redis", "redis://h", "--allow", "*"], /--allow "\*" is neither/],
    [
      "a cache that cannot be made",
      ["worker", "--redis", "redis://h", "--cache-dir", "/proc/x"],
      /cannot be used: .*--cache-dir/,
    ],
    [
      "a cache that is not one",
      ["worker", "--redis", "redis://h", "--cache-dir", "/dev/null/x"],
      /cannot be used: .*--cache-dir/,
    ],
  ];
  for (const [what, args, line] of wrong) {
    it(`is refused in one line: ${what}`, async () => {
      const { code, stdout, stderr } = await coppice(folder, args);
      assert.equal(code, 2, stderr);
      assert.match(stderr, line);
      assert.equal(stderr.trim().split("\n").length, 1, stderr);
      assert.ok(!stderr.includes("sesame"));
      assert.equal(stdout, "");
    });
  }
});
