import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { soak } from "@coppice/engine/soak";
import fc from "fast-check";
import { dice } from "../../../test/dice.ts";
import { hoursInTypeScript } from "../../../test/hour-twin.ts";
import { randomInstance } from "../../../test/random-instance.ts";
import { MAX_DELAY_MINUTES } from "../regulation.ts";
import { flightVisitsOf } from "./flight-visits.ts";
import { HourSlack } from "./hour-slack.ts";

describe("rolling hours in compiled code", () => {
  it("are the same as in TypeScript, whatever flights are tried, held and moved", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const roll = dice(seed);
        const instance = randomInstance(seed);
        const draws = Array.from({ length: 1 + roll(3) }, () =>
          instance.capacity.map((limit) => (roll(6) === 0 ? roll(5) : limit)),
        );
        const [compiled, twin] = [new HourSlack(instance, draws), new HourSlack(instance, draws, hoursInTypeScript)];
        const delay = new Int16Array(instance.flightIds.length);
        for (let step = 0; step < 8; step++) {
          const flights = Int32Array.from(instance.flightIds.keys()).filter(() => roll(3) === 0);
          const now = delay.map((minutes) => [minutes, 0, roll(20), roll(MAX_DELAY_MINUTES + 1)][roll(4)]);
          const kind = roll(3);
          const [found, expected] = [compiled, twin].map((hours) => {
            hours.orders.set([...flights].flatMap((f) => [f, (delay[f] << 16) | now[f]]));
            const least = hours.leastExceedanceAfter(flights.length);
            const exceedance = hours.exceedanceAfter(flights.length, kind === 0);
            if (kind < 2) hours.move(flights.length);
            const volumes = instance.volumeIds.map((_, volume) => [
              hours.exceedanceOf(volume),
              hours.nextOver(volume, 0, instance.binCount),
              Array.from({ length: instance.binCount }, (_, bin) => hours.over(volume, bin)),
            ]);
            return { least, exceedance, kept: hours.exceedance, volumes };
          });
          assert.deepEqual(found, expected);
          if (kind < 2) for (const f of flights) delay[f] = now[f];
        }
      }),
      { numRuns: soak(40, 1000) },
    );
  });

  it("are refused for more volumes than a visit can name", () => {
    const instance = randomInstance(1);
    const many = {
      ...instance,
      volumeIds: Array.from({ length: (2 ** 25) >> 5 }, (_, i) => `v${i}`).concat("one more"),
    };
    assert.throws(() => flightVisitsOf(many, () => false), /the day has 1048577 volumes: .* at most \d+ can be scored/);
  });
});
