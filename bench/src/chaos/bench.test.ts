import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { soak } from "@coppice/engine/soak";
import { TollCount } from "./attack.ts";
import { chaosBench } from "./bench.ts";

/** A few faults of an attack, as `coppice bench chaos --attacks …` strikes with them. */
async function sample(name: string, faults: number) {
  const { attacks = [], goals } = await chaosBench({ attacks: [name], faults });
  const [attack] = attacks;
  assert.equal(attacks.length, 1);
  if (attack.skipped === undefined) assert.ok(attack.tries > 0, JSON.stringify(attack));
  const { lost, repeated, wrong, left, problems } = attack;
  assert.deepEqual(
    { lost, repeated, wrong, left, problems },
    { lost: 0, repeated: 0, wrong: 0, left: 0, problems: [] },
  );
  assert.ok(goals.length === 4 && goals.every(({ ok }) => ok));
}

// Kills at writes, power cuts, stolen locks and readers that leave have samples of their own beside what they attack.
describe("chaos", () => {
  it("does no harm by code that changes under a cache, a resume and a run that is going", () =>
    sample("version-changes", soak(3, 60)));
  it("does no harm by full disks", () => sample("full-disks", soak(3, 40)));
  it("does no harm by kills at any time", () => sample("kills-at-any-time", soak(2, 60)));

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
      problems: ['run 4 ({"wrong":1,"repeated":3})'],
    });
  });
});
