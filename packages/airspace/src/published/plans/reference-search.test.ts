import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { inline, RunNotDone, start, threads } from "@coppice/engine";
import { assertClose, goldenFiles, goldenText } from "../../../test/golden.ts";
import { validatePlan } from "../../answers/plan-answers.ts";
import { openDay } from "../../import/open-day.ts";
import { importGolden } from "../../import/published-artifacts.ts";
import { hotspotInventory } from "../hotspots/inventory.ts";
import { readInventoryOptions } from "../hotspots/inventory-file.ts";
import { referenceRates } from "./reference-evaluator.ts";
import { referencePlan, referenceRecord, referenceRun } from "./reference-run.ts";
import { ReferenceSearch } from "./reference-search.ts";
import { scorePublished, scorePublishedFile } from "./score-file.ts";

const folder = mkdtempSync(join(tmpdir(), "coppice-reference-"));
after(() => rmSync(folder, { recursive: true }));
const golden = (name: string) => {
  const file = goldenFiles.find((each) => each.name === name);
  assert.ok(file !== undefined);
  const text = { source: name, text: goldenText(name) };
  return { file, instance: importGolden(text), options: readInventoryOptions(text) };
};
const pathOf = (name: string) => fileURLToPath(new URL(`../../../test/fixtures/golden/${name}.json`, import.meta.url));

/** Plans here, hotspot after hotspot. */
function planned(name: string, most = 12) {
  const { instance, options } = golden(name);
  const search = new ReferenceSearch(hotspotInventory(instance, options), most);
  for (let next = search.ask(); next.kind === "candidate"; next = search.ask()) {
    search.tell({ ok: true, value: referenceRates(instance, next.candidate) });
  }
  return search.result();
}

describe("planning by the published objective", () => {
  it("finds the rates that the published planner found at its hotspots", () => {
    const { file, instance, options } = golden("medium1");
    const [hotspot] = hotspotInventory(instance, options);
    for (const [label, mode, adaptive] of [
      ["default", "per_flow", false],
      ["default blanket", "blanket", false],
      ["adaptive + default grid", "per_flow", true],
    ] as const) {
      const { rates, flowIds, deltaJ } = referenceRates(instance, { ...hotspot, mode, adaptive });
      const known = file.rate_finder_cases.find((each) => each.label === label);
      const found = mode === "blanket" ? rates[0] : Object.fromEntries(flowIds.map((id, flow) => [id, rates[flow]]));
      assert.deepEqual([found, deltaJ], [known?.rates, known?.delta_j], label);
    }
  });

  it("makes the plan of the reference numbers out of those that lower it, and scores it the same", () => {
    const { file, instance, options } = golden("medium1");
    const { file: plan, score } = referencePlan(instance, planned("medium1"), options);
    const known = file.plan_objective_cases?.find(({ label }) => label === "one blanket regulation");
    assert.ok(known !== undefined);
    assertClose(score.final, known.final);
    assertClose(score.system, known.system);
    assert.deepEqual(scorePublished(instance, { source: "plan.json", text: JSON.stringify(plan) }, options), score);
  });

  it("takes the better mode of each hotspot, the strongest first, and no more than were asked for", () => {
    const { instance, options } = golden("tiny2");
    const { regulations, hotspots } = planned("tiny2");
    assert.equal(hotspots, 2);
    assert.ok(regulations.length > 0 && regulations.every(({ deltaJ }) => deltaJ < 0));
    for (const { volume, window, deltaJ } of regulations) {
      const hotspot = hotspotInventory(instance, options).find((each) => each.volume === volume);
      assert.ok(hotspot !== undefined);
      const all = (["per_flow", "blanket"] as const).flatMap((mode) =>
        [true, false].map((adaptive) => referenceRates(instance, { ...hotspot, window, mode, adaptive }).deltaJ),
      );
      assert.equal(deltaJ, Math.min(...all));
    }
    assert.deepEqual(planned("tiny2", 0).regulations, []);
  });

  it("has one digest on any workers and after being interrupted, and saves what it scored", {
    timeout: 300_000,
  }, async () => {
    const record = referenceRecord({ instance: pathOf("medium1") });
    /** What the engine needs of it. */
    const searched = () => {
      const { search, evaluator, context, shared } = referenceRun(record);
      return { search, evaluator, context, ...(shared === undefined ? {} : { shared }) };
    };
    const undisturbed = await (await start({ ...searched(), pool: inline() })).finished;
    const four = await (await start({ ...searched(), pool: threads({ workers: 4 }) })).finished;
    assert.deepEqual([four.digest, four.result], [undisturbed.digest, undisturbed.result]);
    const { inputs, finish } = referenceRun(record);
    const journal = { directory: join(folder, "run"), ...(inputs === undefined ? {} : { inputs }) };
    const first = await start({ ...searched(), pool: inline(), journal });
    first.subscribe((event) => {
      if (event.type === "told" && event.told >= 3) first.interrupt();
    });
    await assert.rejects(first.finished, RunNotDone);
    const again = await (await start({ ...searched(), pool: inline(), journal: { ...journal, resume: true } }))
      .finished;
    assert.equal(again.digest, undisturbed.digest);
    finish?.(again.result, folder);
    const saved = JSON.parse(readFileSync(join(folder, "plan.json"), "utf8"));
    const { instance } = golden("medium1");
    const { final } = scorePublishedFile(instance, join(folder, "plan.json"), { instance: pathOf("medium1") }) as {
      readonly final: { readonly objective: number };
    };
    assert.equal(final.objective, saved.objective);
  });
});

describe("plans of one's own, scored by the published objective", () => {
  const { file, instance, options } = golden("medium1");
  const known = (label: string) => file.plan_objective_cases?.find((each) => each.label === label);
  const scored = (name: string, text: string) => scorePublished(instance, { source: name, text }, options);

  it("cost what the published planner says of the same flights and rate, from JSON and from a table", () => {
    const { final, system } = known("one blanket regulation") ?? {};
    const line = { volume: "TV001", window: [27, 42], rate: 24 };
    for (const [name, text] of [
      ["own.json", JSON.stringify({ plan: [line] })],
      ["list.json", JSON.stringify([line])],
      ["own.csv", "volume,from_bin,to_bin,flows,rate\nTV001,27,42,,24\n"],
    ]) {
      assertClose(scored(name, text), { final, system });
    }
  });

  it("know flows by the day's names, in their own form and in the published one", () => {
    const { final, system } = known("one regulation with the rates found above") ?? {};
    const flights = file.hotspot_candidates?.[0].metadata.flow_to_flights ?? {};
    const path = join(folder, "flows.json");
    writeFileSync(path, JSON.stringify({ north: flights["0"], rest: flights.remaining }));
    const day = openDay({ instance: pathOf("medium1"), flows: path });
    const place = { volume: "TV000", window: [28, 42] };
    const own = [
      { ...place, flows: ["north"], rate: 18 },
      { ...place, flows: ["rest"], rate: 24 },
    ];
    const published = [
      {
        control_volume_id: "TV000",
        window_bins: [28, 42],
        flow_ids: ["north", "rest"],
        rates_per_flow: { north: 18, rest: 24 },
      },
    ];
    for (const plan of [own, published]) {
      writeFileSync(join(folder, "own-plan.json"), JSON.stringify({ plan }));
      const score = scorePublishedFile(day, join(folder, "own-plan.json"), {
        instance: pathOf("medium1"),
        flows: path,
      });
      assertClose(score, { final, system });
    }
  });

  it("are refused where a flow is neither the day's nor one that is found there", () => {
    const line = { control_volume_id: "TV000", window_bins: [28, 42], flow_ids: ["7"], blanket_rate: 9 };
    assert.throws(() => scored("p.json", JSON.stringify([line])), /no flow "7"; the hotspot has 0, remaining/);
  });
});

describe("checking a plan of the published planner", () => {
  const day = openDay({ instance: pathOf("medium1") });
  const checked = (...plan: object[]) => {
    const path = join(folder, "checked.json");
    writeFileSync(path, JSON.stringify({ plan }));
    return (published?: { instance: string }) => validatePlan(path, day, published);
  };
  const reference = { instance: pathOf("medium1") };
  const line = { control_volume_id: "TV000", window_bins: [28, 42], flow_ids: ["0", "remaining"], blanket_rate: 9 };

  it("knows the flows that it finds, but only where its rules count", () => {
    const check = checked(line);
    const { ok, regulations, readable } = check(reference);
    assert.deepEqual({ ok, regulations, readable }, { ok: true, regulations: 1, readable: true });
    assert.equal(check().readable, false);
  });

  it("names every regulation that is wrong and every duplicate", () => {
    const wrong = checked(line, { ...line, flow_ids: ["7"] }, { ...line, control_volume_id: "X" }, line, { plan: 1 });
    const { regulations, readable, checks } = wrong(reference);
    assert.deepEqual([regulations, readable], [2, false]);
    const [known, repeated] = checks.map(({ violations }) => violations.join("\n"));
    assert.match(known, /^regulation 2: no flow "7"; it may have 0, remaining/m);
    assert.match(known, /^regulation 3: .* has no volume "X"/m);
    assert.match(known, /^regulation 5: control_volume_id: it is missing/m);
    assert.match(repeated, /^regulation 4 repeats regulation 1: TV000 28-42 flows 0,remaining$/);
  });
});
