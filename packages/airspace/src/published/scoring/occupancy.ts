import type { Instance } from "../../instance/instance.ts";

/**
 * Flights per bin of one volume, each as often as it is listed; `delayMinutes` of a flight shifts all its visits.
 *
 * The published planner counts the delay from the seconds after take-off within a bin, not from the clock, so that a
 * flight which took off off a bin edge may be delayed into the next bin and still be counted in its own.
 */
export function addOccupancy(
  instance: Instance,
  volume: number,
  flights: readonly number[],
  delayMinutes: (flight: number) => number = () => 0,
): Int32Array {
  const occupancy = new Int32Array(instance.binCount);
  const binSeconds = instance.binMinutes * 60;
  for (const flight of flights) {
    const delaySeconds = delayMinutes(flight) * 60;
    for (let visit = instance.visitOffset[flight]; visit < instance.visitOffset[flight + 1]; visit++) {
      if (instance.visitVolume[visit] !== volume) continue;
      const phase = Math.floor(instance.entrySecond[visit]) % binSeconds;
      const bin = instance.indexBin[visit] + Math.floor((phase + delaySeconds) / binSeconds);
      if (bin < instance.binCount) occupancy[bin]++;
    }
  }
  return occupancy;
}

/** Flights in the hour that starts with each bin, cut off at the end of the day. */
export function rollingHour(occupancy: Int32Array, binsPerHour: number): Int32Array {
  const rolling = new Int32Array(occupancy.length);
  let sum = 0;
  for (let t = occupancy.length - 1; t >= 0; t--) {
    sum += occupancy[t];
    if (t + binsPerHour < occupancy.length) sum -= occupancy[t + binsPerHour];
    rolling[t] = sum;
  }
  return rolling;
}
