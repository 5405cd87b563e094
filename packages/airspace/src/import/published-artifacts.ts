import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";
import { assembleInstance, countBins, type FlightDraft, type VolumeDraft } from "../instance/assemble.ts";
import type { Instance } from "../instance/instance.ts";
import { type HourlyCapacity, spreadHours } from "./capacity-file.ts";
import { busiestDate, type InputText, markNumericKeys, readJson, unmarkKey, utcMilliseconds } from "./input-text.ts";

const seconds = z.number().min(0, "seconds after take-off must not be negative");
const flightShape = z.object({
  takeoff_time: z.string(),
  origin: z.string().nullish(),
  destination: z.string().nullish(),
  occupancy_intervals: z.array(z.object({ tvtw_index: z.int().min(0), entry_time_s: seconds, exit_time_s: seconds })),
});
const occupancyShape = z.record(z.string(), flightShape);
const indexerShape = z.object({ time_bin_minutes: z.number(), tv_id_to_idx: z.record(z.string(), z.int().min(0)) });
const goldenShape = z.object({
  name: z.string().optional(),
  instance: indexerShape.extend({
    capacities: z.record(z.string(), z.record(z.string(), z.number())),
    flights: occupancyShape,
  }),
});

export interface PublishedFiles {
  readonly name: string;
  /** `{ flightId: { takeoff_time, occupancy_intervals } }` */
  readonly occupancy: InputText;
  /** `{ time_bin_minutes, tv_id_to_idx }` */
  readonly indexer: InputText;
  /** Hours per traffic volume and where they are, as read from the capacity GeoJSON. */
  readonly capacity: { readonly source: string; readonly hours: HourlyCapacity; readonly places?: Places };
}

type Places = ReadonlyMap<string, { readonly latitude: number; readonly longitude: number }>;

/** Builds an instance from the published planner's artifacts. */
export function importPublished(files: PublishedFiles): Instance {
  const indexer = readJson(files.indexer.text, files.indexer.source, indexerShape);
  const flights = readJson(markNumericKeys(files.occupancy.text), files.occupancy.source, occupancyShape);
  return fromTables(files.name, files.occupancy.source, indexer, flights, files.capacity);
}

/** Builds an instance from the `instance` section of a file of reference numbers (`golden/flow`). */
export function importGolden(file: InputText): Instance {
  const { name, instance } = readJson(markNumericKeys(file.text), file.source, goldenShape);
  const hours = new Map(
    Object.entries(instance.capacities).map(([id, ranges]) => [unmarkKey(id), new Map(Object.entries(ranges))]),
  );
  return fromTables(name ?? file.source, file.source, instance, instance.flights, { source: file.source, hours });
}

function fromTables(
  name: string,
  source: string,
  indexer: z.infer<typeof indexerShape>,
  flights: z.infer<typeof occupancyShape>,
  capacity: PublishedFiles["capacity"],
): Instance {
  const binMinutes = indexer.time_bin_minutes;
  const binCount = countBins(binMinutes);
  const volumes = volumesByRow(source, indexer.tv_id_to_idx, capacity.places);
  const takeoffs = Object.entries(flights).map(([id, flight]) =>
    utcSecond(flight.takeoff_time, `${source}: flight ${unmarkKey(id)}`),
  );
  const start = busiestDate(takeoffs, 86_400);
  const drafts = Object.entries(flights).map(([key, flight], f): FlightDraft => {
    const id = unmarkKey(key);
    const visits = flight.occupancy_intervals.map((interval, i) => {
      const volume = Math.floor(interval.tvtw_index / binCount);
      if (volume >= volumes.length) {
        throw new UsageError(
          `${source}: flight ${id}: interval ${i}: tvtw_index ${interval.tvtw_index} is past the last of ${volumes.length} volumes x ${binCount} bins`,
        );
      }
      if (interval.exit_time_s < interval.entry_time_s) {
        throw new UsageError(
          `${source}: flight ${id}: interval ${i}: leaves at ${interval.exit_time_s} s before it enters at ${interval.entry_time_s} s`,
        );
      }
      return {
        volume,
        entrySecond: interval.entry_time_s,
        exitSecond: interval.exit_time_s,
        indexBin: interval.tvtw_index % binCount,
      };
    });
    return {
      id,
      ...(flight.origin ? { origin: flight.origin } : {}),
      ...(flight.destination ? { destination: flight.destination } : {}),
      takeoffSecond: takeoffs[f] - start,
      visits,
    };
  });
  return assembleInstance({
    name,
    start: new Date(start * 1000).toISOString().replace(".000Z", "Z"),
    binMinutes,
    volumes,
    flights: drafts,
    capacity: spreadHours(
      capacity.source,
      capacity.hours,
      volumes.map((volume) => volume.id),
      binMinutes,
    ),
  });
}

/** Volumes in the order of their rows, which must be 0, 1, 2, … */
function volumesByRow(
  source: string,
  rows: Readonly<Record<string, number>>,
  places: Places | undefined,
): VolumeDraft[] {
  const byRow = Object.entries(rows).sort(([, a], [, b]) => a - b);
  return byRow.map(([key, row], expected) => {
    const id = unmarkKey(key);
    if (row !== expected)
      throw new UsageError(`${source}: tv_id_to_idx: ${id} has row ${row} where ${expected} should come next`);
    return { id, ...places?.get(id) };
  });
}

/** Seconds since the epoch; a time without a zone is UTC. */
function utcSecond(time: string, where: string): number {
  const milliseconds = utcMilliseconds(time);
  if (Number.isNaN(milliseconds))
    throw new UsageError(`${where}: takeoff_time "${time}" is not a time like 2024-01-01T08:00:00`);
  return milliseconds / 1000;
}
