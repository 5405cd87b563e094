import type { VolumeDraft } from "../instance/assemble.ts";
import type { DayRules, WeatherBox } from "./day-rules.ts";

/** A volume the capacity rule knows: where it is and whether it counts landings. */
export interface RuledVolume extends VolumeDraft {
  readonly latitude: number;
  readonly longitude: number;
  readonly arrivals: boolean;
}

/**
 * Capacity per volume and bin without weather: `max(minimum, round(factor * peak))`, where the peak is the busiest rolling
 * hour of the undelayed traffic. `entries[v * binCount + b]` counts entries.
 */
export function ruledCapacity(volumes: readonly RuledVolume[], entries: Int32Array, rules: DayRules): Float64Array {
  const binCount = 1440 / rules.binMinutes;
  const capacity = new Float64Array(volumes.length * binCount);
  volumes.forEach((volume, v) => {
    const [first, end] = [v * binCount, (v + 1) * binCount];
    const peak = busiestHour(entries.subarray(first, end), rules);
    const factor = volume.arrivals ? rules.capacity.arrivalFactor : rules.capacity.cellFactor;
    capacity.fill(Math.max(rules.capacity.minimum, Math.round(factor * peak)), first, end);
  });
  return capacity;
}

/**
 * Capacities cut by the strongest weather box over each volume to `max(least, round(base * (1 - cut)))`, never above what
 * they are without it. `startHour` is the UTC hour of minute 0.
 */
export function underWeather(
  capacity: Float64Array,
  volumes: readonly RuledVolume[],
  rules: DayRules,
  weather: readonly WeatherBox[],
  startHour: number,
  least = rules.capacity.minimumInWeather,
): Float64Array {
  const binCount = 1440 / rules.binMinutes;
  return capacity.map((base, cell) => {
    const hour = startHour + ((cell % binCount) * rules.binMinutes) / 60;
    const volume = volumes[Math.floor(cell / binCount)];
    const cut = weather.reduce((most, box) => (covers(box, volume, hour) ? Math.max(most, box.cut) : most), 0);
    if (cut === 0 || base === Number.POSITIVE_INFINITY) return base;
    return Math.min(base, Math.max(least, Math.round(base * (1 - cut))));
  });
}

/** The rule in words. */
export function ruleText({ capacity: { cellFactor, arrivalFactor, minimum } }: DayRules): string {
  return `${cellFactor} times a volume's busiest hour, ${arrivalFactor} times an airport's, at least ${minimum}`;
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

function covers({ box, arrivalsOnly, fromHour, toHour }: WeatherBox, volume: RuledVolume, hour: number): boolean {
  const [south, north, west, east] = box;
  if (hour < fromHour || hour >= toHour || (arrivalsOnly && !volume.arrivals)) return false;
  return volume.latitude >= south && volume.latitude <= north && volume.longitude >= west && volume.longitude <= east;
}
