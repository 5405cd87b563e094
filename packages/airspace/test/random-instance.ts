import { assembleInstance, type FlightDraft } from "../src/instance/assemble.ts";
import type { Instance } from "../src/instance/instance.ts";
import { dice } from "./dice.ts";

/** A small random day: flights that come back to a volume, enter before minute 0 or after midnight, odd seconds, unlimited and closed volumes. */
export function randomInstance(seed: number): Instance {
  const roll = dice(seed);
  const binMinutes = [15, 15, 30, 20, 60, 5, 1][roll(7)];
  const binCount = 1440 / binMinutes;
  const volumeCount = 1 + roll(8);
  const wholeMinutes = roll(2) === 0;
  // Half of the days are crowded: everything happens within a few hours, so that queues meet each other.
  const crowded = roll(2) === 0;
  const flights: FlightDraft[] = Array.from({ length: 1 + roll(80) }, (_, f) => {
    const minute = crowded ? 480 + roll(200) : roll(1500) - 60 + (roll(9) === 0 ? 420 : 0);
    const takeoffSecond = 60 * minute + (wholeMinutes ? 0 : roll(60));
    const origin = `O${roll(9)}`;
    let entrySecond = 0;
    const visits = Array.from({ length: roll(6) }, () => {
      const exitSecond = entrySecond + (wholeMinutes ? 60 * (1 + roll(40)) : roll(2400));
      const clock = Math.floor((takeoffSecond + entrySecond) / 60 / binMinutes);
      const visit = {
        volume: roll(volumeCount),
        entrySecond,
        exitSecond,
        indexBin: Math.min(binCount - 1, Math.max(0, clock)),
      };
      entrySecond = exitSecond;
      return visit;
    });
    return { id: `F${f}`, origin, destination: `D${roll(3)}`, takeoffSecond, visits };
  });
  const capacity = new Float64Array(volumeCount * binCount);
  for (let v = 0; v < volumeCount; v++) {
    const usual = [Number.POSITIVE_INFINITY, 0, 1 + roll(4), 1 + roll(4), 2.5, roll(9)][roll(6)];
    for (let b = 0; b < binCount; b++) capacity[v * binCount + b] = roll(12) === 0 ? roll(3) : usual;
  }
  const volumes = Array.from({ length: volumeCount }, (_, v) => ({ id: `V${v}`, latitude: v, longitude: -v }));
  return assembleInstance({
    name: `random-${seed}`,
    start: "2024-01-01T00:00:00Z",
    binMinutes,
    volumes,
    flights,
    capacity,
  });
}
