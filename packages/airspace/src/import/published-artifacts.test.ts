import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { readCapacityGeoJson } from "./capacity-file.ts";
import { importGolden, importPublished } from "./published-artifacts.ts";

const golden = new URL("../../../../../shared/golden/flow/", import.meta.url);
const absent = existsSync(golden) ? false : "the shared reference numbers are not here";

const indexer = { time_bin_minutes: 60, tv_id_to_idx: { B: 1, A: 0 } };
const flight = (over: object = {}) => ({
  takeoff_time: "2024-01-01T08:10:00",
  origin: "LFPG",
  destination: "EGLL",
  distance: 200,
  occupancy_intervals: [
    { tvtw_index: 24 + 8, entry_time_s: 600, exit_time_s: 900 },
    { tvtw_index: 8, entry_time_s: 0, exit_time_s: 600 },
  ],
  ...over,
});
const capacity = (properties: object) => ({
  type: "FeatureCollection",
  features: [
    {
      type: "Feature",
      properties,
      geometry: {
        type: "Polygon",
        coordinates: [
          [
            [2, 48],
            [4, 48],
            [4, 50],
            [2, 48],
          ],
        ],
      },
    },
  ],
});
const text = (source: string, content: unknown) => ({
  source,
  text: typeof content === "string" ? content : JSON.stringify(content),
});
const build = (
  flights: unknown,
  hours: unknown = capacity({ traffic_volume_id: "A", capacity: { "8:00-9:00": 3 } }),
  index: unknown = indexer,
) =>
  importPublished({
    name: "day",
    occupancy: text("occupancy.json", flights),
    indexer: text("indexer.json", index),
    capacity: readCapacityGeoJson(text("capacity.geojson", hours)),
  });

describe("importing the published planner's artifacts", () => {
  it("reads flights, volumes by row, hours and places", () => {
    const day = build({ F1: flight() });
    assert.deepEqual(day.volumeIds, ["A", "B"]);
    assert.deepEqual([...day.visitVolume], [0, 1]);
    assert.deepEqual([...day.indexBin], [8, 8]);
    assert.equal(day.start, "2024-01-01T00:00:00Z");
    assert.equal(day.takeoffSecond[0], 8 * 3600 + 600);
    assert.equal(day.capacity[8], 3);
    assert.equal(day.capacity[9], Number.POSITIVE_INFINITY, "an hour without a figure has no limit");
    assert.deepEqual([day.volumeLatitude[0], day.volumeLongitude[0]], [49, 3]);
    assert.ok(Number.isNaN(day.volumeLatitude[1]));
  });

  it("reads a capacity written as text with single quotes", () => {
    const day = build({ F1: flight() }, capacity({ traffic_volume_id: "B", capacity: "{'8:00-9:00': 7}" }));
    assert.equal(day.capacity[24 + 8], 7);
  });

  it("keeps the order of the file even for ids that are numbers", () => {
    const occupancy = `{"F": ${JSON.stringify(flight())}, "20": ${JSON.stringify(flight())}, "3": ${JSON.stringify(flight())}}`;
    assert.deepEqual(build(occupancy).flightIds, ["F", "20", "3"]);
  });

  it("turns a zone into UTC and takes a time without one as UTC", () => {
    const day = build({
      F1: flight(),
      F2: flight({ takeoff_time: "2024-01-01T08:10:00+02:00" }),
      F3: flight({ takeoff_time: "2024-01-01T08:10:00Z" }),
    });
    assert.deepEqual(
      [...day.takeoffSecond].map((second) => (second - 600) / 3600),
      [8, 6, 8],
    );
  });

  it("takes the busiest date as the day, so that a late evening flight of the day before does not move it", () => {
    const day = build({ F0: flight({ takeoff_time: "2023-12-31T23:50:00" }), F1: flight(), F2: flight() });
    assert.equal(day.start, "2024-01-01T00:00:00Z");
    assert.equal(day.takeoffSecond[0], -600);
  });

  it("names what is wrong in one line", () => {
    const interval = (over: object) => ({
      F1: flight({ occupancy_intervals: [{ tvtw_index: 1, entry_time_s: 1, exit_time_s: 2, ...over }] }),
    });
    const hours = (properties: object) => () => build({ F1: flight() }, capacity(properties));
    const wrong: readonly (readonly [() => unknown, RegExp])[] = [
      [() => build("{"), /^UsageError: occupancy\.json: not JSON/],
      [() => build(`{"F1": {"takeoff_time": NaN}}`), /occupancy\.json: not JSON/],
      [() => build({}), /day: no flights/],
      [
        () => build({ F1: flight({ takeoff_time: "noon" }) }),
        /occupancy\.json: flight F1: takeoff_time "noon" is not a time/,
      ],
      [() => build(interval({ tvtw_index: 48 })), /flight F1: interval 0: tvtw_index 48 is past the last of 2 volumes/],
      [
        () => build(interval({ entry_time_s: null })),
        /occupancy\.json: F1\.occupancy_intervals\.0\.entry_time_s: it must be a number, not null/,
      ],
      [() => build(interval({ exit_time_s: 0 })), /flight F1: interval 0: leaves at 0 s before it enters at 1 s/],
      [() => build({ F1: flight() }, undefined, { ...indexer, time_bin_minutes: 25 }), /60 must be divisible/],
      [
        () => build({ F1: flight() }, undefined, { ...indexer, tv_id_to_idx: { A: 0, B: 2 } }),
        /B has row 2 where 1 should come next/,
      ],
      [
        hours({ traffic_volume_id: "Z", capacity: { "8:00-9:00": 3 } }),
        /capacity\.geojson: capacity of unknown volume Z/,
      ],
      [
        hours({ traffic_volume_id: "A", capacity: { "8h": 3 } }),
        /capacity of A: "8h" is not a range of whole hours like/,
      ],
      [
        hours({ traffic_volume_id: "A", capacity: { "8:00-9:00": -3 } }),
        /capacity of A at 8:00-9:00 is -3; it must be 0 or more/,
      ],
      [hours({ traffic_volume_id: "A", capacity: "{'8:00-9:00': NaN}" }), /capacity\.geojson: capacity of A: not JSON/],
    ];
    for (const [act, message] of wrong) {
      assert.throws(act, message);
      assert.throws(act, (error: Error) => !error.message.includes("\n"));
    }
  });
});

describe("importing a file of reference numbers", { skip: absent }, () => {
  it("reads every published instance with the flights in the order of the file", () => {
    for (const [name, flights, volumes] of [
      ["tiny1", 4, 1],
      ["tiny2", 7, 2],
      ["tiny3", 9, 3],
      ["medium1", 160, 12],
    ] as const) {
      const content = readFileSync(new URL(`${name}.json`, golden), "utf8");
      const day = importGolden({ source: `${name}.json`, text: content });
      assert.equal(day.name, name);
      assert.equal(day.flightIds.length, flights);
      assert.equal(day.volumeIds.length, volumes);
      assert.deepEqual(day.flightIds, Object.keys(JSON.parse(content).instance.flights));
    }
  });
});
