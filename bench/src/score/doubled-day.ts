import type { Instance } from "@coppice/airspace";

/** The same day beside itself: as many flights again, in volumes of their own, so that no plan for the first touches them. */
export function doubledDay(day: Instance): Instance {
  const again = day.volumeIds.length;
  const visits = day.visitVolume.length;
  return {
    ...day,
    name: `${day.name}, twice`,
    volumeIds: [...day.volumeIds, ...day.volumeIds.map((id) => `again:${id}`)],
    volumeLatitude: twice(day.volumeLatitude, 0),
    volumeLongitude: twice(day.volumeLongitude, 0),
    capacity: twice(day.capacity, 0),
    flowNames: [...day.flowNames, ...day.flowNames],
    flightIds: [...day.flightIds, ...day.flightIds.map((id) => `again:${id}`)],
    flightOrigin: twice(day.flightOrigin, 0),
    flightDestination: twice(day.flightDestination, 0),
    takeoffSecond: twice(day.takeoffSecond, 0),
    visitOffset: Int32Array.from([...day.visitOffset, ...day.visitOffset.subarray(1).map((offset) => offset + visits)]),
    visitVolume: twice(day.visitVolume, again),
    entrySecond: twice(day.entrySecond, 0),
    exitSecond: twice(day.exitSecond, 0),
    indexBin: twice(day.indexBin, 0),
    visitFlow: twice(day.visitFlow, 0),
  };
}

/** The values, then the values once more with something added. */
function twice<Values extends Float64Array | Int32Array | Int16Array>(values: Values, added: number): Values {
  const both = new (values.constructor as new (length: number) => Values)(2 * values.length);
  both.set(values);
  for (let at = 0; at < values.length; at++) both[values.length + at] = values[at] + added;
  return both;
}
