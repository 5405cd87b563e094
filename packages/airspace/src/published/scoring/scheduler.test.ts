import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dense, epochSecond, goldenFiles, isoText } from "../../../test/golden.ts";
import { type FlowRequest, scheduleFlows } from "./scheduler.ts";
import type { Spill } from "./spill.ts";

const halfHours = { binMinutes: 30, binCount: 48 };
const profile = (releases: Record<number, number>) => dense(releases, halfHours.binCount + 1);
const at = (flight: string, clock: string): FlowRequest => ({ flight, second: epochSecond(`2024-01-01T${clock}`) });
const delays = (releases: ReturnType<typeof scheduleFlows>) =>
  Object.fromEntries([...releases].map(([flight, release]) => [flight, release.delayMinutes]));

describe("flow scheduler", () => {
  for (const file of goldenFiles) {
    for (const example of file.scheduler_cases ?? []) {
      const spill = spillOf(example.impl, example.options);
      it(`${file.name}, ${example.impl} ${spill.mode}: ${example.label}`, () => {
        const clock = { binMinutes: file.instance.time_bin_minutes, binCount: file.instance.num_time_bins };
        const queues = Object.entries(example.flights_by_flow).map(([flow, flights]) => ({
          flow,
          requests: flights.map(([flight, when]) =>
            typeof when === "number" ? { flight, bin: when } : { flight, second: epochSecond(when) },
          ),
          profile: dense(example.n[flow], clock.binCount + 1),
        }));
        const releases = scheduleFlows(queues, clock, spill);
        assert.deepEqual(delays(releases), example.delays_min);
        const starts = [...releases].map(([flight, release]) => [
          flight,
          "second" in release ? isoText(release.second) : { bin: release.bin },
        ]);
        assert.deepEqual(Object.fromEntries(starts), example.realised_start);
      });
    }
  }

  it("takes the bin from the time, sorts inside the bin and rounds the wait up to whole minutes", () => {
    const requests = [
      at("late", "08:20:30"),
      at("early", "08:05:10"),
      at("tie-b", "08:10:00"),
      at("tie-a", "08:10:00"),
    ];
    const queue = { flow: "Q", requests, profile: profile({ 16: 2, 17: 2 }) };
    assert.deepEqual(delays(scheduleFlows([queue], halfHours, { mode: "dump_to_next_bin" })), {
      early: 0,
      "tie-a": 0,
      "tie-b": 20,
      late: 10,
    });
  });

  it("keeps the last release of a flight that is requested twice, also across flows", () => {
    const twice = [at("a", "08:00:00"), at("a", "08:30:00"), at("b", "08:10:00")];
    const first = { flow: "1", requests: twice, profile: profile({ 16: 1, 17: 1, 18: 1 }) };
    const second = { flow: "2", requests: [at("a", "09:00:00")], profile: profile({ 18: 1 }) };
    assert.deepEqual(delays(scheduleFlows([first], halfHours, { mode: "dump_to_next_bin" })), { a: 30, b: 20 });
    assert.deepEqual(delays(scheduleFlows([first, second], halfHours, { mode: "dump_to_next_bin" })), { a: 0, b: 20 });
  });

  it("spreads a spill over bins that follow one another, past midnight if need be", () => {
    const requests = ["a", "b", "c", "d"].map((flight) => ({ flight, bin: 46 }));
    const queue = { flow: "Q", requests, profile: profile({ 46: 1 }) };
    assert.deepEqual(delays(scheduleFlows([queue], halfHours, { mode: "one_per_spill_bin" })), {
      a: 0,
      b: 30,
      c: 60,
      d: 90,
    });
  });

  it("refuses a spill rate that is missing or not above 0", () => {
    const queue = { flow: "Q", requests: [{ flight: "a", bin: 3 }], profile: profile({}) };
    for (const ratePerHour of [0, -1, Number.NaN, {}, { other: 4 }]) {
      const spill: Spill = { mode: "defined_release_rate_for_spills", ratePerHour };
      assert.throws(() => scheduleFlows([queue], halfHours, spill), /flow Q: needs a release rate above 0/);
    }
    const named: Spill = { mode: "defined_release_rate_for_spills", ratePerHour: { default: 2 } };
    assert.deepEqual(delays(scheduleFlows([queue], halfHours, named)), { a: 30 });
  });
});

function spillOf(
  impl: "safespill" | "plain",
  options: { spill_mode?: string; release_rate_for_spills?: number },
): Spill {
  const mode = options.spill_mode ?? (impl === "plain" ? "overflow_bin" : "one_per_spill_bin");
  switch (mode) {
    case "defined_release_rate_for_spills":
      return { mode, ratePerHour: options.release_rate_for_spills ?? Number.NaN };
    case "dump_to_next_bin":
    case "one_per_spill_bin":
    case "same_release_rate_for_spills":
    case "overflow_bin":
      return { mode };
    default:
      throw new Error(`unknown spill mode ${mode}`);
  }
}
