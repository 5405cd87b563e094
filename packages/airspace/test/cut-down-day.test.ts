import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import { findHotspots } from "../src/network/hotspots.ts";
import { scoreFromScratch } from "../src/network/score-from-scratch.ts";
import { defaultWeights } from "../src/network/weights.ts";
import { cutDownDay } from "./cut-down-day.ts";

const published = new URL("../../../../shared/data/us-day/cut-1184.json.gz", import.meta.url);
const absent = existsSync(published) ? false : "the shared cut-down instance is not here";

describe("the cut-down day", () => {
  const day = cutDownDay();

  it("has 1,184 flights, 40 volumes, 6,969 visits, 31 hotspots in 13 volumes and costs 749 without measures", () => {
    const { hourCount, score } = scoreFromScratch(day, [], defaultWeights);
    const hotspots = findHotspots(day, hourCount);
    assert.deepEqual([day.flightIds.length, day.volumeIds.length, day.visitVolume.length], [1184, 40, 6969]);
    assert.deepEqual([hotspots.length, new Set(hotspots.map(({ volume }) => volume)).size], [31, 13]);
    assert.equal(score.objective, 749);
  });

  it("is the published one, visit by visit and bin by bin", { skip: absent }, () => {
    const other: { volumes: string[]; flights: number[][]; cap: number[][] } = JSON.parse(
      gunzipSync(readFileSync(published)).toString("utf8"),
    );
    assert.deepEqual(day.volumeIds, other.volumes);
    other.flights.forEach((visits, f) => {
      const own = [];
      for (let i = day.visitOffset[f]; i < day.visitOffset[f + 1]; i++) {
        own.push(day.visitVolume[i], (day.takeoffSecond[f] + day.entrySecond[i]) / 60, day.visitFlow[i]);
      }
      assert.deepEqual(own, visits);
    });
    assert.deepEqual([...day.capacity], other.cap.flat());
  });
});
