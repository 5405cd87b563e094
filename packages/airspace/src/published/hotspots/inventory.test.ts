import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertClose, type GoldenFile, goldenFiles, goldenText } from "../../../test/golden.ts";
import { importGolden } from "../../import/published-artifacts.ts";
import { assembleInstance, type FlightDraft } from "../../instance/assemble.ts";
import type { Instance } from "../../instance/instance.ts";
import { groupFlights } from "./flow-groups.ts";
import { type HotspotCandidate, hotspotInventory } from "./inventory.ts";
import { publishedSegment, readInventoryOptions } from "./inventory-file.ts";
import { hotspotSegments } from "./segments.ts";

/** A hotspot and its flows under the published names. */
function publishedCandidate(instance: Instance, { volume, window, flows, proxies, prior }: HotspotCandidate) {
  const idsOf = (flights: readonly number[]) => flights.map((flight) => instance.flightIds[flight]);
  return {
    control_volume_id: instance.volumeIds[volume],
    window_bins: window,
    candidate_flow_ids: flows.map((flow) => flow.id),
    mode: "per_flow",
    hotspot_prior: prior,
    metadata: {
      flow_to_flights: Object.fromEntries(flows.map((flow) => [flow.id, idsOf(flow.flights)])),
      flow_proxies: Object.fromEntries(flows.map((flow, f) => [flow.id, proxies[f]])),
    },
  };
}

const options = ({ name }: GoldenFile) => readInventoryOptions({ source: name, text: goldenText(name) });

describe("reference hotspots", () => {
  for (const file of goldenFiles) {
    const instance = importGolden({ source: file.name, text: goldenText(file.name) });
    it(`${file.name}: segments`, () => {
      const segments = hotspotSegments(instance).map((segment) => publishedSegment(instance, segment));
      assertClose(segments, file.hotspot_segments);
    });

    if (file.hotspot_candidates === undefined) continue;
    it(`${file.name}: candidates, their flows and proxies`, () => {
      const found = hotspotInventory(instance, options(file));
      const candidates = found.map((candidate) => publishedCandidate(instance, candidate));
      assertClose(candidates, file.hotspot_candidates);
    });
  }
});

describe("flow grouping by direction", () => {
  const crossing = (id: string, ...volumes: number[]): FlightDraft => ({
    id,
    takeoffSecond: 0,
    visits: volumes.map((volume, i) => ({ volume, entrySecond: i * 600, exitSecond: i * 600 + 600, indexBin: 0 })),
  });
  const volumes = [
    { id: "west", latitude: 50, longitude: 0 },
    { id: "middle", latitude: 50, longitude: 5 },
    { id: "east", latitude: 50, longitude: 10 },
    { id: "north", latitude: 55, longitude: 5 },
  ];
  const day = (places: typeof volumes | { id: string }[]) =>
    assembleInstance({
      name: "cross",
      start: "2024-01-01T00:00:00Z",
      binMinutes: 60,
      volumes: places,
      flights: [crossing("eastbound", 0, 1, 2), crossing("westbound", 2, 1, 0), crossing("also-east", 0, 1, 2)],
      capacity: new Float64Array(4 * 24).fill(1),
    });

  it("keeps flights apart that come the opposite way through the same volumes", () => {
    const whole = { trim: "none", similarityThreshold: 0.5 } as const;
    assert.deepEqual(groupFlights(day(volumes), [0, 1, 2], 1, { ...whole, direction: { mode: "none" } }), [0, 0, 0]);
    assert.deepEqual(groupFlights(day(volumes), [0, 1, 2], 1, whole), [0, 1, 0]);
  });

  it("compares paths up to the hotspot unless told otherwise", () => {
    const none = { direction: { mode: "none" }, similarityThreshold: 0.5 } as const;
    assert.deepEqual(groupFlights(day(volumes), [0, 1, 2], 1, none), [0, 1, 0]);
  });

  it("says which volume has no position", () => {
    const placeless = volumes.map(({ id }) => ({ id }));
    assert.throws(() => groupFlights(day(placeless), [0, 1], 1), /volume west has no position.*direction mode "none"/);
  });
});
