import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import { usDayFromTables } from "../import/us-day-tables.ts";
import { decodeInstance, encodeInstance } from "./artifact.ts";
import { usDay } from "./us-day.ts";

const published = new URL("../../../../../shared/data/us-day/us-a-res2.json.gz", import.meta.url);
const absent = existsSync(published) ? false : "the shared instance of the day is not here";

interface PublishedDay {
  readonly volumes: string[];
  readonly capacitySteps: [number, number][][];
  readonly flowsByOrigin: Record<string, string[]>[];
  readonly routes: { o: string; d: string; m: number; p: number[] }[];
  readonly flights: [number, number][];
}

describe("29 June 2001 over the United States", () => {
  const day = usDay();

  it("has 17,599 flights, 329 volumes and 111,634 visits, each flight with an id of its own", () => {
    assert.equal(day.flightIds.length, 17_599);
    assert.equal(new Set(day.flightIds).size, 17_599);
    assert.equal(day.volumeIds.length, 329);
    assert.equal(day.visitVolume.length, 111_634);
  });

  it("differs between its scenarios only in capacity", () => {
    const clear = usDay("clear");
    assert.deepEqual({ ...clear, name: "", capacity: [] }, { ...day, name: "", capacity: [] });
    assert.ok(day.capacity.every((flights, i) => flights <= clear.capacity[i]));
    assert.notDeepEqual(clear.capacity, day.capacity);
  });

  it("is what its tables and rules make (if they have changed: node packages/airspace/scripts/pack-us-day.ts)", () => {
    for (const scenario of ["storm", "clear"] as const) {
      assert.deepEqual(usDay(scenario), usDayFromTables(scenario), scenario);
    }
  });

  it("survives being written to a file", () => {
    assert.deepEqual(decodeInstance(encodeInstance(day), "memory"), day);
  });

  it("is the published instance, volume by volume, visit by visit, bin by bin", { skip: absent }, () => {
    const other: PublishedDay = JSON.parse(gunzipSync(readFileSync(published)).toString("utf8"));
    assert.deepEqual(day.volumeIds, other.volumes);
    other.flights.forEach(([route, minute], f) => {
      const { o, d, m, p } = other.routes[route];
      const [first, end] = [day.visitOffset[f], day.visitOffset[f + 1]];
      const visits = [...day.visitVolume.subarray(first, end)].flatMap((v, i) => [v, day.entrySecond[first + i] / 60]);
      assert.deepEqual(visits, p);
      assert.equal(day.takeoffSecond[f], minute * 60);
      assert.equal(day.exitSecond[end - 1], m * 60);
      assert.equal(day.airports[day.flightOrigin[f]], o);
      assert.equal(day.airports[day.flightDestination[f]], d);
      for (let i = first; i < end; i++) {
        const flows = Object.entries(other.flowsByOrigin[day.visitVolume[i]]);
        assert.equal(day.visitFlow[i], Number(flows.find(([, origins]) => origins.includes(o))?.[0] ?? 5));
      }
    });
    const capacity = other.capacitySteps.flatMap((steps) =>
      Array.from({ length: 96 }, (_, bin) => steps.filter(([from]) => from <= bin).at(-1)?.[1]),
    );
    assert.deepEqual([...day.capacity], capacity);
  });
});
