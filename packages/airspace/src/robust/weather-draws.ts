import { type Random, random } from "@coppice/engine/evaluator";
import { binsPerHour, type Instance } from "../instance/instance.ts";

/** How far weather may come earlier or later. */
const MOST_SHIFT_HOURS = 1;
/** How much more of the capacity it may cost: up to this part of what is forecast. */
const MOST_DEEPENED = 0.5;
/** How often it does not come at all. */
const DROPPED = 0.15;

/** Bins in which a volume's capacity is below its usual one, and by how much in each of them. */
interface CapacityWindow {
  readonly volume: number;
  readonly fromBin: number;
  readonly loss: readonly number[];
}

/** What comes differently than forecast: all windows with the same hours are one weather and change together. */
interface WeatherChange {
  readonly dropped: boolean;
  readonly binsLater: number;
  /** What is lost, times this. */
  readonly depth: number;
}

/** Draws of the day's capacity: the first is the forecast, the day's own; the others are the same for the same seed. */
export function plannedDraws(instance: Instance, count: number, seed: number): readonly Float64Array[] {
  return [instance.capacity, ...drawn(instance, count - 1, random(seed).at("weather").at("planned"))];
}

/** Draws that no plan was made for: others than {@link plannedDraws} of any seed's. */
export function freshDraws(instance: Instance, count: number, seed: number): readonly Float64Array[] {
  return drawn(instance, count, random(seed).at("weather").at("fresh"));
}

function drawn(instance: Instance, count: number, stream: Random): Float64Array[] {
  const weathers = weathersOf(instance);
  return Array.from({ length: count }, (_, draw) => {
    const changes = weathers.map((_windows, weather) => weatherChange(instance, stream.at(draw).at(weather)));
    return changedCapacity(instance, weathers, changes);
  });
}

function weatherChange(instance: Instance, draw: Random): WeatherChange {
  const most = MOST_SHIFT_HOURS * binsPerHour(instance);
  return {
    dropped: draw.uniform() < DROPPED,
    binsLater: draw.integer(-most, most),
    depth: 1 + MOST_DEEPENED * draw.uniform(),
  };
}

/** Windows of all volumes by their hours, in the order volumes have them first. A volume's usual capacity is its highest. */
export function weathersOf(instance: Instance): readonly (readonly CapacityWindow[])[] {
  const { binCount, volumeIds, capacity } = instance;
  const weathers = new Map<string, CapacityWindow[]>();
  for (let volume = 0; volume < volumeIds.length; volume++) {
    const row = capacity.subarray(volume * binCount, (volume + 1) * binCount);
    const usual = usualCapacity(row);
    for (let fromBin = 0; fromBin < binCount; fromBin++) {
      const loss: number[] = [];
      while (row[fromBin + loss.length] < usual) loss.push(usual - row[fromBin + loss.length]);
      if (loss.length === 0) continue;
      const hours = `${fromBin} ${loss.length}`;
      const known = weathers.get(hours) ?? [];
      known.push({ volume, fromBin, loss });
      weathers.set(hours, known);
      fromBin += loss.length;
    }
  }
  return [...weathers.values()];
}

/** The highest limit of a row; -Infinity if there is none. */
function usualCapacity(row: Float64Array): number {
  return row.reduce((most, limit) => (limit < Number.POSITIVE_INFINITY ? Math.max(most, limit) : most), -Infinity);
}

/**
 * Capacity as it is with such weather, in whole flights. Where two windows of a volume come to lie over each other, the
 * greater loss counts. Deeper weather closes nothing that the forecast leaves open; hours without a limit stay so.
 */
function changedCapacity(
  { binCount, capacity }: Instance,
  weathers: readonly (readonly CapacityWindow[])[],
  changes: readonly WeatherChange[],
): Float64Array {
  const changed = capacity.slice();
  const rowOf = (volume: number) => [volume * binCount, (volume + 1) * binCount] as const;
  const usual = (volume: number) => usualCapacity(capacity.subarray(...rowOf(volume)));
  for (const { volume } of weathers.flat()) {
    const most = usual(volume);
    const row = changed.subarray(...rowOf(volume));
    row.forEach((limit, bin) => {
      if (limit < most) row[bin] = most;
    });
  }
  weathers.forEach((windows, weather) => {
    const { dropped, binsLater, depth } = changes[weather];
    if (dropped) return;
    for (const { volume, fromBin, loss } of windows) {
      const most = usual(volume);
      const row = changed.subarray(...rowOf(volume));
      loss.forEach((flights, at) => {
        const bin = fromBin + at + binsLater;
        if (bin < 0 || bin >= binCount || row[bin] === Number.POSITIVE_INFINITY) return;
        const left = Math.round(Math.max(most - depth * flights, Math.min(1, most - flights)));
        row[bin] = Math.min(row[bin], left);
      });
    }
  });
  return changed;
}
