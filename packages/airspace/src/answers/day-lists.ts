import { right, type TableColumn, tableText } from "@coppice/engine/display";
import { clockLabel } from "../instance/clock.ts";
import { type Instance, volumeOfId, wholeLimit } from "../instance/instance.ts";
import { namesOf } from "../instance/names.ts";
import { findHotspots } from "../network/hotspots.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import { defaultWeights } from "../network/weights.ts";

/** Every volume of a day: what it is called, what it takes and what is planned for it; busiest first. */
export function volumesJson(instance: Instance) {
  const { binCount, volumeIds, capacity } = instance;
  const { hourCount } = scoreFromScratch(instance, [], defaultWeights);
  const hotspots = findHotspots(instance, hourCount);
  const { volumes: names } = namesOf(instance);
  const entries = new Int32Array(volumeIds.length);
  for (const volume of instance.visitVolume) entries[volume]++;
  return volumeIds
    .map((id, volume) => {
      const [first, end] = [volume * binCount, (volume + 1) * binCount];
      const limits = capacity.subarray(first, end);
      const peak = hourCount.subarray(first, end).reduce((most, count) => Math.max(most, count), 0);
      const { floor, ceiling } = instance.volumeDetails[volume];
      return {
        volume: id,
        name: names[volume],
        ...(floor === undefined ? {} : { floor }),
        ...(ceiling === undefined ? {} : { ceiling }),
        entries: entries[volume],
        peak,
        peakUtc: clockLabel(hourCount.subarray(first, end).indexOf(peak), instance),
        capacity: [wholeLimit(Math.min(...limits)), wholeLimit(Math.max(...limits))],
        excess: hotspots.reduce((sum, hotspot) => (hotspot.volume === volume ? sum + hotspot.excess : sum), 0),
        flows: instance.flowNames[volume].length,
      };
    })
    .sort((a, b) => b.entries - a.entries || (a.volume < b.volume ? -1 : 1));
}

/** The first traffic volumes of a day for people. */
export function volumesText(volumes: ReturnType<typeof volumesJson>, top: number): string {
  const limit = (flights: number | null): string => (flights === null ? "none" : String(flights));
  const rows = volumes
    .slice(0, top)
    .map(({ volume, name, entries, peak, peakUtc, capacity: [least, most], excess }) => [
      volume,
      name,
      String(entries),
      String(peak),
      peakUtc,
      least === most ? limit(least) : `${limit(least)}-${limit(most)}`,
      String(excess),
    ]);
  const figures = right("entries", "busiest hour", "UTC", "capacity", "excess");
  return listed(["volume", "name", ...figures], rows, volumes.length);
}

/** The flows of one volume, or of all: who belongs to each and how much of the traffic it is. */
export function flowsJson(instance: Instance, volumeId?: string) {
  const wanted = volumeId === undefined ? undefined : volumeOfId(instance, volumeId);
  const names = namesOf(instance);
  const flights = instance.flowNames.map((flows) => flows.map(() => new Set<number>()));
  for (let flight = 0; flight < instance.flightIds.length; flight++) {
    for (let visit = instance.visitOffset[flight]; visit < instance.visitOffset[flight + 1]; visit++) {
      flights[instance.visitVolume[visit]][instance.visitFlow[visit]].add(flight);
    }
  }
  return instance.volumeIds.flatMap((id, volume) =>
    wanted !== undefined && volume !== wanted
      ? []
      : instance.flowNames[volume].map((flow, number) => ({
          volume: id,
          volumeName: names.volumes[volume],
          flow: number,
          id: flow,
          name: names.flow(flow),
          flights: flights[volume][number].size,
          airports: new Set([...flights[volume][number]].map((flight) => instance.flightOrigin[flight])).size,
        })),
  );
}

/** The first flows of a day for people. */
export function flowsText(flows: ReturnType<typeof flowsJson>, top: number): string {
  const rows = flows
    .slice(0, top)
    .map(({ volume, flow, id, name, flights }) => [volume, String(flow), id, name, String(flights)]);
  return listed(["volume", ...right("flow"), "id", "name", ...right("flights")], rows, flows.length);
}

function listed(columns: readonly TableColumn[], rows: readonly (readonly string[])[], all: number): string {
  const more = all > rows.length ? [`… and ${all - rows.length} more (--top ${all})`] : [];
  return [tableText(columns, rows), ...more, ""].join("\n");
}
