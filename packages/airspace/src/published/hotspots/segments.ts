import { binsPerHour, type Instance, wholeCapacity } from "../../instance/instance.ts";
import { rollingHour } from "../scoring/occupancy.ts";
import { compareText } from "../scoring/scheduler.ts";

/** A run of bins in which a volume's rolling hour exceeds its capacity; hours without a figure have no limit here. */
export interface HotspotSegment {
  readonly volume: number;
  readonly startBin: number;
  /** Inclusive. */
  readonly endBin: number;
  readonly maxExcess: number;
  readonly sumExcess: number;
  readonly peakRollingCount: number;
  readonly capacity: { readonly min: number; readonly max: number };
}

/** All segments, worst first: largest excess, then volume id, then start. */
export function hotspotSegments(instance: Instance, threshold = 0): HotspotSegment[] {
  const { binCount, volumeIds } = instance;
  const segments: HotspotSegment[] = [];
  const presence = hourlyPresence(instance);
  for (let volume = 0; volume < volumeIds.length; volume++) {
    const first = volume * binCount;
    const rolling = presence.subarray(first, first + binCount);
    const capacity = Float64Array.from(instance.capacity.subarray(first, first + binCount), wholeCapacity);
    for (let start = 0; start < binCount; start++) {
      if (!(rolling[start] - capacity[start] > threshold)) continue;
      let end = start;
      while (end + 1 < binCount && rolling[end + 1] - capacity[end + 1] > threshold) end++;
      segments.push(segmentOf(volume, start, end, rolling, capacity));
      start = end;
    }
  }
  return segments.sort(
    (a, b) =>
      b.maxExcess - a.maxExcess || compareText(volumeIds[a.volume], volumeIds[b.volume]) || a.startBin - b.startBin,
  );
}

function segmentOf(
  volume: number,
  startBin: number,
  endBin: number,
  rolling: Int32Array,
  capacity: Float64Array,
): HotspotSegment {
  let maxExcess = Number.NEGATIVE_INFINITY;
  let sumExcess = 0;
  let peakRollingCount = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let t = startBin; t <= endBin; t++) {
    maxExcess = Math.max(maxExcess, rolling[t] - capacity[t]);
    sumExcess += rolling[t] - capacity[t];
    peakRollingCount = Math.max(peakRollingCount, rolling[t]);
    min = Math.min(min, capacity[t]);
    max = Math.max(max, capacity[t]);
  }
  return { volume, startBin, endBin, maxExcess, sumExcess, peakRollingCount, capacity: { min, max } };
}

/** Flights present in the hour that starts with each bin, for [volume * binCount + bin]. */
export function hourlyPresence(instance: Instance): Int32Array {
  const { binCount } = instance;
  const presence = flightsPresent(instance);
  for (let first = 0; first < presence.length; first += binCount) {
    presence.set(rollingHour(presence.subarray(first, first + binCount), binsPerHour(instance)), first);
  }
  return presence;
}

/** Flights per volume and file bin; a flight that lists the same bin twice is there once. */
function flightsPresent(instance: Instance): Int32Array {
  const { binCount, visitOffset, visitVolume, indexBin } = instance;
  const cells = instance.volumeIds.length * binCount;
  const presence = new Int32Array(cells);
  const lastSeen = new Int32Array(cells).fill(-1);
  for (let flight = 0; flight < instance.flightIds.length; flight++) {
    for (let visit = visitOffset[flight]; visit < visitOffset[flight + 1]; visit++) {
      const cell = visitVolume[visit] * binCount + indexBin[visit];
      if (lastSeen[cell] === flight) continue;
      lastSeen[cell] = flight;
      presence[cell]++;
    }
  }
  return presence;
}
