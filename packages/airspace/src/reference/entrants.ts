import type { Instance } from "../instance/instance.ts";

/** Bins [from, to). */
export type BinWindow = readonly [from: number, to: number];

/** A flight in a volume during one bin, as its source file lists it. */
export interface Entrant {
  /** Index of the flight. */
  readonly flight: number;
  /** Time of entry in seconds after the instance's start. */
  readonly second: number;
  /** The bin the source file gave, which the clock may contradict. */
  readonly bin: number;
}

/** Every visit of the flights to the volume whose file bin lies in the window, flight by flight in the given order. */
export function entrantsOf(
  instance: Instance,
  volume: number,
  window: BinWindow,
  flights: readonly number[],
): Entrant[] {
  const entrants: Entrant[] = [];
  for (const flight of flights) {
    for (let visit = instance.visitOffset[flight]; visit < instance.visitOffset[flight + 1]; visit++) {
      const bin = instance.indexBin[visit];
      if (instance.visitVolume[visit] !== volume || bin < window[0] || bin >= window[1]) continue;
      entrants.push({ flight, second: instance.takeoffSecond[flight] + instance.entrySecond[visit], bin });
    }
  }
  return entrants;
}

/** Entrants as a flow's requests: by file bin, otherwise as listed. */
export function requestsOf(entrants: readonly Entrant[]): Entrant[] {
  return [...entrants].sort((a, b) => a.bin - b.bin);
}
