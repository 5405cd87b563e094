import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  assertClose,
  dense,
  expand,
  goldenFiles,
  goldenText,
  isoText,
  type ScoreCase,
  weightsOf,
} from "../../../test/golden.ts";
import { importGolden } from "../../import/published-artifacts.ts";
import { type Instance, volumeOfId } from "../../instance/instance.ts";
import { controlledFlows, entrantsOf, flowsOfIds } from "./controlled-flows.ts";
import { type Score, scoreProfiles } from "./published-score.ts";
import { releaseProfile } from "./release-profile.ts";
import { type ScoreRequest, scoreContext } from "./score-context.ts";

/** The plain scorer: no reusable context, every flight once, and what the overflow slot does not cover is not delayed. */
function scoreOnce(instance: Instance, request: ScoreRequest, profiles: readonly ArrayLike<number>[]): Score {
  return scoreProfiles(scoreContext(instance, { ...request, repeats: "once" }), profiles, { mode: "overflow_bin" });
}

describe("reference score", () => {
  for (const file of goldenFiles) {
    const instance = importGolden({ source: file.name, text: goldenText(file.name) });
    for (const example of file.score_cases) {
      it(`${file.name}, ${example.label}: every intermediate and the objective`, () => checkCase(instance, example));
    }
  }

  it("delays a second flight of the bin, trading exceedance for delay (plain scorer, each flight once)", () => {
    const instance = importGolden({ source: "tiny1", text: goldenText("tiny1") });
    const volume = volumeOfId(instance, "A");
    const requests = entrantsOf(instance, volume, [16, 17], flowsOfIds(instance, { X: ["F1", "F2"] })[0].flights);
    const request = { flows: [{ id: "X", requests }], volumes: [volume] };
    const { demand } = scoreContext(instance, request).flows[0];
    const free = scoreOnce(instance, request, [demand]);
    const held = scoreOnce(instance, request, [dense({ 16: 1, 18: 1 }, instance.binCount + 1)]);
    assert.ok(held.components.J_delay > free.components.J_delay);
    assert.ok(held.components.J_reg >= free.components.J_reg);
    assert.equal(held.releases.get("F2")?.delayMinutes, 58);
  });
});

function ripplesOf(instance: Instance, example: ScoreCase) {
  return (example.ripple_cells ?? []).map(([id, bin]) => ({ volume: volumeOfId(instance, id), bin }));
}

function checkCase(instance: Instance, example: ScoreCase): void {
  const volume = volumeOfId(instance, example.control_volume_id);
  const window = example.window_bins;
  const flows = flowsOfIds(instance, example.flows);
  const start = Date.parse(instance.start) / 1000;

  for (const flow of flows) {
    const entrants = entrantsOf(instance, volume, window, flow.flights);
    assert.deepEqual(
      entrants.map(({ flight, second, bin }) => [instance.flightIds[flight], isoText(start + second), bin]),
      example.entrants[flow.id],
    );
  }
  const targets = Array.from({ length: window[1] - window[0] }, (_, i) => ({ volume, bin: window[0] + i }));
  const context = scoreContext(instance, {
    flows: controlledFlows(instance, { volume, window, flows, mode: example.mode }),
    volumes: [volume],
    attention: { targets, ripples: ripplesOf(instance, example) },
    weights: weightsOf(example.weights_override),
  });
  assert.deepEqual(
    context.scheduled.map((flight) => instance.flightIds[flight]),
    example.sched_fids,
  );
  const profiles = context.flows.map((flow) => {
    const rate = example.rates?.[flow.id] ?? "inf";
    return releaseProfile(flow.demand, rate === "inf" ? Number.POSITIVE_INFINITY : rate, window, instance);
  });
  context.flows.forEach((flow, f) => {
    assert.deepEqual([...flow.demand], dense(example.demand[flow.id], instance.binCount + 1), "demand");
    assert.deepEqual([...profiles[f]], dense(example.n[flow.id], instance.binCount + 1), "profile");
    assert.deepEqual([...flow.beta], expand(example.beta_runs[flow.id]), "beta");
    assert.deepEqual([...flow.gamma], expand(example.gamma_runs[flow.id]), "gamma");
  });
  const [{ alpha }] = context.volumes;
  assert.deepEqual([...alpha], expand(example.alpha_runs[example.control_volume_id]), "alpha");

  const score = scoreProfiles(context, profiles);
  const releases = [...score.releases];
  assert.deepEqual(
    releases.map(([flight, { delayMinutes }]) => [flight, delayMinutes]),
    Object.entries(example.delays_min),
  );
  assert.deepEqual(
    Object.fromEntries(releases.map(([flight, at]) => [flight, "second" in at ? isoText(start + at.second) : at.bin])),
    example.realised_start,
  );
  const occupancy = dense(example.occupancy[example.control_volume_id], instance.binCount);
  assert.deepEqual([...score.occupancy[0]], occupancy);
  assertClose(score.components, example.components);
  assertClose(score.objective, example.J_total);
}
