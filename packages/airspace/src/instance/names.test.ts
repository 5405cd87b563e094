import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { latLngToCell } from "h3-js";
import { decodeInstance, encodeInstance } from "./artifact.ts";
import { assembleInstance } from "./assemble.ts";
import { flowsCalled, namesOf } from "./names.ts";
import { usDay } from "./us-day.ts";

const AREA = latLngToCell(40.7, -74, 1);

function smallDay() {
  const volumes = [
    { id: latLngToCell(41.4, -84, 4) },
    { id: latLngToCell(41.41, -81.85, 6) },
    { id: "ARR:CLE", latitude: 41.41, longitude: -81.85 },
    { id: "S1", label: "Lake high" },
    { id: "S2", label: "Lake high" },
    { id: "nowhere" },
  ];
  const visit = (volume: number) => ({ volume, entrySecond: 60, exitSecond: 120, indexBin: 0 });
  const flight = (id: string, origin: string, originGroup: string) => ({
    id,
    origin,
    destination: "CLE",
    originGroup,
    takeoffSecond: 0,
    visits: volumes.map((_, volume) => visit(volume)),
  });
  return assembleInstance({
    name: "small",
    start: "2024-05-01T00:00:00Z",
    binMinutes: 60,
    volumes,
    flights: [flight("A", "JFK", AREA), flight("B", "JFK", AREA), flight("C", "LGA", AREA), flight("D", "BOS", "BOS")],
    airports: new Map([
      ["CLE", { latitude: 41.41, longitude: -81.85, city: "Cleveland" }],
      ["JFK", { latitude: 40.64, longitude: -73.78, city: "New York" }],
      ["LGA", { latitude: 40.78, longitude: -73.87, city: "Queens" }],
      ["BOS", { latitude: 48.8, longitude: 2.3 }],
    ]),
    capacity: new Float64Array(volumes.length * 24).fill(10),
  });
}

describe("names of a day", () => {
  it("say where a volume is, by a source's own label or by the nearest airport people know", () => {
    assert.deepEqual(namesOf(smallDay()).volumes, [
      "180 km W of CLE",
      "over CLE",
      "landings at Cleveland (CLE)",
      "Lake high (S1)",
      "Lake high (S2)",
      "nowhere",
    ]);
  });

  it("say where a flow comes from: an area by its busiest city, a single airport, everywhere else", () => {
    const { flow } = namesOf(smallDay());
    assert.equal(flow(AREA), "from New York area (2 airports)");
    assert.equal(flow("BOS"), "from BOS");
    assert.equal(flow("CLE"), "from Cleveland (CLE)");
    assert.equal(flow("other"), "everyone else");
  });

  it("differ where cities, labels or flows of one's own are called alike", () => {
    const day = smallDay();
    const volumeDetails = ["A", "A", "A (S1)", "A", "B", "B"].map((label) => ({ label }));
    const volumeIds = ["S1", "S2", "S3", "S4", "S5", "S6"];
    const flowNames = day.flowNames.map(() => [AREA, "from New York area (2 airports)", "other", "everyone else"]);
    const { volumes, flow } = namesOf({ ...day, volumeIds, volumeDetails, flowNames });
    assert.equal(new Set(volumes).size, volumes.length, volumes.join());
    assert.equal(new Set(flowNames[0].map(flow)).size, flowNames[0].length);
    assert.equal(flow("other"), "everyone else (other)");
  });

  it("name the flows of a line: all, a few, or the first of many", () => {
    const day = smallDay();
    const many = { ...day, flowNames: day.flowNames.map(() => ["north", "south", "BOS", "east", "other"]) };
    assert.equal(flowsCalled(many, 0, [0, 1, 2, 3, 4]), "all flows");
    assert.equal(flowsCalled(many, 0, [1, 4]), "south, everyone else");
    assert.equal(flowsCalled(many, 0, [0, 1, 2, 4]), "north, south, from BOS, 1 more");
  });

  it("differ from volume to volume and are the same after the day was written and read", () => {
    const day = usDay("clear");
    const { volumes } = namesOf(day);
    assert.equal(new Set(volumes).size, volumes.length);
    assert.deepEqual(namesOf(decodeInstance(encodeInstance(day), "again")).volumes, volumes);
    const flows = [...new Set(day.flowNames.flat())];
    assert.equal(new Set(flows.map(namesOf(day).flow)).size, flows.length);
    const small = smallDay();
    assert.deepEqual(decodeInstance(encodeInstance(small), "small"), small);
  });
});
