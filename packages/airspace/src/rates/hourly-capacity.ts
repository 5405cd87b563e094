import type { Instance } from "../instance/instance.ts";
import type { BinWindow } from "../reference/entrants.ts";

/** Capacity of each hour the window touches, as given; hours without a figure are left out. */
export function hourlyCapacity(instance: Instance, volume: number, [from, to]: BinWindow): number[] {
  const perHour = 60 / instance.binMinutes;
  const capacities: number[] = [];
  const lastBin = Math.min(to, instance.binCount) - 1;
  for (let hour = Math.floor(from / perHour); hour <= Math.floor(lastBin / perHour); hour++) {
    const capacity = instance.capacity[volume * instance.binCount + hour * perHour];
    if (Number.isFinite(capacity)) capacities.push(capacity);
  }
  return capacities;
}
