import type { VolumeDraft } from "../instance/assemble.ts";
import type { DayRules, WeatherBox } from "./day-rules.ts";

/** A volume the capacity rule knows: where it is and whether it counts landings. */
export interface RuledVolume extends VolumeDraft {
  readonly latitude: number;
  readonly longitude: number;
  readonly arrivals: boolean;
}

/**
 * Capacity per volume and bin: `max(minimum, round(factor * peak))`, where the peak is the busiest rolling hour of the
 * undelayed traffic, cut by the strongest weather box over the volume to `max(minimumInWeather, round(base * (1 - cut)))`.
 *
 * `entries[v * binCount + b]` counts entries; `startHour` is the UTC hour of minute 0.
 */
export function ruledCapacity(
  volumes: readonly RuledVolume[],
  entries: Int32Array,
  rules: DayRules,
  weather: readonly WeatherBox[],
  startHour: number,
): Float64Array {
  const binCount = 1440 / rules.binMinutes;
  const capacity = new Float64Array(volumes.length * binCount);
  volumes.forEach((volume, v) => {
    const peak = busiestHour(entries.subarray(v * binCount, (v + 1) * binCount), rules);
    const factor = volume.arrivals ? rules.capacity.arrivalFactor : rules.capacity.cellFactor;
    const base = Math.max(rules.capacity.minimum, Math.round(factor * peak));
    const boxes = weather.filter((box) => covers(box, volume));
    for (let bin = 0; bin < binCount; bin++) {
      const hour = startHour + (bin * rules.binMinutes) / 60;
      const cut = Math.max(
        0,
        ...boxes.filter((box) => hour >= box.fromHour && hour < box.toHour).map((box) => box.cut),
      );
      capacity[v * binCount + bin] =
        cut === 0 ? base : Math.max(rules.capacity.minimumInWeather, Math.round(base * (1 - cut)));
    }
  });
  return capacity;
}

function busiestHour(entries: Int32Array, rules: DayRules): number {
  const [first, last] = rules.capacity.peakBins;
  let busiest = 0;
  for (let bin = first; bin <= Math.min(last, entries.length - 1); bin++) {
    let hour = 0;
    for (let b = bin; b < Math.min(bin + 60 / rules.binMinutes, entries.length); b++) hour += entries[b];
    busiest = Math.max(busiest, hour);
  }
  return busiest;
}

function covers(box: WeatherBox, volume: RuledVolume): boolean {
  const [south, north, west, east] = box.box;
  if (box.arrivalsOnly && !volume.arrivals) return false;
  return volume.latitude >= south && volume.latitude <= north && volume.longitude >= west && volume.longitude <= east;
}
