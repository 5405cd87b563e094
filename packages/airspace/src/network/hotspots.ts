import { type Instance, wholeCapacity } from "../instance/instance.ts";

/** A run of bins in which a volume's rolling hour is above its capacity. */
export interface Hotspot {
  readonly volume: number;
  readonly fromBin: number;
  /** Bin after the last. */
  readonly toBin: number;
  /** Flights above capacity, summed over the bins. */
  readonly excess: number;
  /** The most flights above capacity in one of the bins. */
  readonly worst: number;
  /** The most flights in one of the rolling hours. */
  readonly peak: number;
  /** The least capacity in the bins. */
  readonly capacity: number;
}

/** All hotspots, worst first: by excess, then volume, then time. `hourCount` is as `countHours` gives it. */
export function findHotspots(instance: Instance, hourCount: Int32Array): Hotspot[] {
  const { binCount, volumeIds } = instance;
  const capacity = instance.capacity.map(wholeCapacity);
  const over = (volume: number, bin: number): number =>
    bin < binCount ? hourCount[volume * binCount + bin] - capacity[volume * binCount + bin] : 0;
  const hotspots: Hotspot[] = [];
  for (let volume = 0; volume < volumeIds.length; volume++) {
    for (let fromBin = 0; fromBin < binCount; fromBin++) {
      if (over(volume, fromBin) <= 0) continue;
      let toBin = fromBin;
      while (over(volume, toBin) > 0) toBin++;
      const bins = Array.from({ length: toBin - fromBin }, (_, at) => fromBin + at);
      hotspots.push({
        volume,
        fromBin,
        toBin,
        excess: bins.reduce((sum, bin) => sum + over(volume, bin), 0),
        worst: Math.max(...bins.map((bin) => over(volume, bin))),
        peak: Math.max(...bins.map((bin) => hourCount[volume * binCount + bin])),
        capacity: Math.min(...bins.map((bin) => capacity[volume * binCount + bin])),
      });
      fromBin = toBin;
    }
  }
  return hotspots.sort((a, b) => b.excess - a.excess || a.volume - b.volume || a.fromBin - b.fromBin);
}
