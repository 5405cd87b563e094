import type { Instance } from "../../instance/instance.ts";

/** Every flight's first entry into one volume, sorted by (minute, flight). */
export interface FirstVisits {
  readonly flight: Int32Array;
  /** Minutes after the start of the day, undelayed. */
  readonly minute: Float64Array;
  /** Bit of the flight's flow. */
  readonly flowBit: Int32Array;
}

const listsOf = new WeakMap<Instance, (volume: number) => FirstVisits>();

/** First-visit lists of a day, made on demand; each is made once for all who ask. */
export function firstVisitsOf(instance: Instance): (volume: number) => FirstVisits {
  const known = listsOf.get(instance) ?? listsOnDemand(instance);
  listsOf.set(instance, known);
  return known;
}

function listsOnDemand(instance: Instance): (volume: number) => FirstVisits {
  const { visitOffset, visitVolume, visitFlow } = instance;
  const flightCount = instance.flightIds.length;
  const visitsOfVolume = visitsByVolume(instance);
  const made: FirstVisits[] = [];
  // Of the list being made, by flight.
  const minuteOf = new Float64Array(flightCount);
  const flowBitOf = new Int32Array(flightCount);

  return (volume) => {
    made[volume] ??= make(volume);
    return made[volume];
  };

  function make(volume: number): FirstVisits {
    const flights: number[] = [];
    for (const i of visitsOfVolume(volume)) {
      const f = flightOfVisit(visitOffset, i);
      if (f === flights.at(-1)) continue;
      flights.push(f);
      minuteOf[f] = (instance.takeoffSecond[f] + instance.entrySecond[i]) / 60;
      flowBitOf[f] = 1 << visitFlow[i];
    }
    const flight = Int32Array.from(flights).sort((a, b) => minuteOf[a] - minuteOf[b] || a - b);
    const minute = Float64Array.from(flight, (f) => minuteOf[f]);
    const flowBit = flight.map((f) => flowBitOf[f]);
    return { flight, minute, flowBit };
  }

  /** Visits of each volume, ascending, so that a flight's first comes first. */
  function visitsByVolume({ volumeIds }: Instance): (volume: number) => Int32Array {
    const end = new Int32Array(volumeIds.length + 1);
    for (let i = 0; i < visitVolume.length; i++) end[visitVolume[i] + 1]++;
    for (let v = 0; v < volumeIds.length; v++) end[v + 1] += end[v];
    const next = end.slice();
    const sorted = new Int32Array(visitVolume.length);
    for (let i = 0; i < visitVolume.length; i++) sorted[next[visitVolume[i]]++] = i;
    return (volume) => sorted.subarray(end[volume], end[volume + 1]);
  }
}

/** The flight whose visits include visit i. */
function flightOfVisit(visitOffset: Int32Array, i: number): number {
  let low = 0;
  let high = visitOffset.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (visitOffset[middle] <= i) low = middle;
    else high = middle;
  }
  return low;
}

/** Index of the first value that is not below `limit` in an ascending list, looking only at the first `count`. */
export function lowerBound(ascending: Float64Array, count: number, limit: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
