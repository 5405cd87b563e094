import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { childrenBelow, processStart } from "@coppice/engine/child-process";
import { onlyInSoak, soak } from "@coppice/engine/soak";
import { type HarmKind, TollCount } from "./attack.ts";
import { chaosBench } from "./bench.ts";
import { fullDisk } from "./full-disk/attack.ts";

/** A few faults of an attack, as `coppice bench chaos --attacks …` strikes with them. */
async function sample(name: string, faults: number, notMeasured: readonly HarmKind[] = ["keys"]) {
  const { attacks = [], goals } = await chaosBench({ attacks: [name], faults });
  const [attack] = attacks;
  assert.equal(attacks.length, 1);
  if (attack.skipped === undefined) assert.ok(attack.tries > 0, JSON.stringify(attack));
  const { lost, repeated, wrong, left, keys, problems } = attack;
  const expected = (kind: HarmKind) => (attack.skipped !== undefined || notMeasured.includes(kind) ? null : 0);
  assert.deepEqual(
    { lost, repeated, wrong, left, keys, problems },
    {
      lost: expected("lost"),
      repeated: expected("repeated"),
      wrong: expected("wrong"),
      left: expected("left"),
      keys: expected("keys"),
      problems: [],
    },
  );
  assert.equal(goals.length, keys === null ? 4 : 5);
  assert.ok(goals.every(({ ok }) => ok));
}

// Kills at writes, power cuts, stolen locks and readers that leave have samples of their own beside what they attack.
describe("chaos", () => {
  it("does no harm by code that changes under a cache, a resume and a run that is going", () =>
    sample("version-changes", soak(1, 60), ["lost", "left", "keys"]));
  it("does no harm by full disks", () => sample("full-disks", soak(1, 40)));
  it("does no harm by faults of a cluster", onlyInSoak(), () => sample("cluster-faults", soak(1, 100), []));
  it("does no harm by kills at any time", onlyInSoak(), () => sample("kills-at-any-time", soak(1, 60)));

  it("leaves no program and no folder behind when it is ended during an attack", onlyInSoak(), async (t) => {
    const cannot = fullDisk.impossible?.();
    if (cannot !== undefined) return t.skip(cannot);
    const place = mkdtempSync(join(tmpdir(), "coppice-chaos-ended-"));
    try {
      const bench = fileURLToPath(new URL("./bench.ts", import.meta.url));
      const line = `import { chaosBench } from ${JSON.stringify(bench)}; await chaosBench({ attacks: ["full-disks"], faults: 40 });`;
      const child = spawn(process.execPath, ["--input-type=module", "--eval", line], {
        env: { ...process.env, TMPDIR: place },
        stdio: "ignore",
      });
      const ended = once(child, "exit");
      // The attack's own program, the coordinator it started, and perhaps workers of that.
      const { pid = 0 } = child;
      let below = childrenBelow(pid);
      while (child.exitCode === null && below.size < 2) {
        await wait(20);
        below = childrenBelow(pid);
      }
      child.kill("SIGTERM");
      const [code] = await ended;
      assert.equal(code, 130);
      assert.deepEqual(readdirSync(place), []);
      const alive = () => [...below].filter(([each, start]) => processStart(each) === start);
      for (let waited = 0; alive().length > 0 && waited < 500; waited++) await wait(20);
      assert.deepEqual(alive(), []);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });

  it("refuses an attack that does not exist, naming those that do", async () => {
    await assert.rejects(chaosBench({ attacks: ["rain"] }), /there is no attack rain: there are .*kills-at-writes/);
  });

  it("counts harm, and says where it was done", () => {
    const count = new TollCount();
    count.struck(2);
    count.harm({ lost: 0 }, "nothing");
    count.harm({ wrong: 1, repeated: 3 }, "run 4");
    assert.deepEqual(count.toll(), {
      tries: 2,
      lost: 0,
      repeated: 3,
      wrong: 1,
      left: 0,
      keys: 0,
      problems: ['run 4 ({"wrong":1,"repeated":3})'],
    });
  });
});
