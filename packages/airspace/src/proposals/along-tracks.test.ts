import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { random } from "@coppice/engine/evaluator";
import { usDay } from "../instance/us-day.ts";
import { findHotspots } from "../network/hotspots.ts";
import { countHours } from "../network/score-from-scratch.ts";
import { AlongTracks } from "./regulation-sampler.ts";

const storm = usDay();

describe("places along the way of a hotspot's flights", () => {
  it("are visited, at that distance in time, by a flight that enters the hotspot", () => {
    const along = new AlongTracks(storm);
    const [worst] = findHotspots(storm, countHours(storm, new Int32Array(storm.flightIds.length)));
    const { visitOffset, visitVolume, visitFlow, takeoffSecond, entrySecond } = storm;
    const minute = (f: number, i: number) => (takeoffSecond[f] + entrySecond[i]) / 60;
    const places = Array.from({ length: 40 }, (_, draw) => along.draw(worst, random(draw)));
    assert.ok(places.some((place) => place !== undefined));
    for (const place of places) {
      if (place === undefined) continue;
      assert.notEqual(place.volume, worst.volume);
      const passes = storm.flightIds.some((_, f) => {
        const visits = Array.from({ length: visitOffset[f + 1] - visitOffset[f] }, (_, at) => visitOffset[f] + at);
        const here = visits.find((i) => visitVolume[i] === worst.volume);
        const there = visits.filter((i) => visitVolume[i] === place.volume && visitFlow[i] === place.flow);
        if (here === undefined) return false;
        return there.some((i) => Math.round((minute(f, i) - minute(f, here)) / 15) === place.binsLater);
      });
      assert.ok(passes, JSON.stringify(place));
    }
  });
});
