import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { csvText, unwritable, writeDurably } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import { clockLabel } from "../instance/clock.ts";
import { type Instance, wholeLimit } from "../instance/instance.ts";
import { namesOf } from "../instance/names.ts";
import { volumeMap } from "../instance/outline.ts";
import type { Hotspot } from "../network/hotspots.ts";
import type { Plan } from "../network/regulation.ts";
import type { Weights } from "../network/weights.ts";
import { planFileContent } from "../plan/plan-content.ts";
import { planMap, planTable } from "../plan/plan-formats.ts";
import { delayedFlights, delaysJson } from "./delays-answer.ts";
import { type DayHotspots, hotspotsWith } from "./hotspots-answer.ts";

/** A day and a plan as files that other programs read, by name. */
export function exportedFiles(instance: Instance, plan: Plan, weights: Weights): ReadonlyMap<string, string> {
  const hotspots = hotspotsWith(instance, plan, weights);
  const json = (data: object): string => `${JSON.stringify(data, undefined, 2)}\n`;
  const delays = delayedFlights(instance, hotspots.account.traffic.after.delayMinutes);
  return new Map([
    ["plan.json", json(planFileContent(plan, instance, weights))],
    ["plan.csv", planTable(plan, instance)],
    ["plan.geojson", json(planMap(plan, instance))],
    [
      "delays.csv",
      csvText(
        ["flight", "airline", "origin", "destination", "departure_utc", "departure_local", "delay_minutes"],
        delays.map((each) => [
          each.flight,
          each.airline,
          each.origin,
          each.destination,
          each.departureUtc,
          each.departureLocal,
          each.minutes,
        ]),
      ),
    ],
    ["hotspots.csv", hotspotTable(hotspots)],
    ["hotspots.geojson", json(hotspotMap(hotspots))],
    ["loads.csv", loadTable(hotspots)],
    ["loads.geojson", json(loadMap(hotspots))],
    ["summary.json", json(delaysJson(instance, plan, weights))],
  ]);
}

/** Writes them into a folder, which is made; nothing that is there is replaced unless `force` says so. */
export function exportDay(folder: string, files: ReadonlyMap<string, string>, force: boolean): string[] {
  const paths = [...files.keys()].map((name) => join(folder, name));
  const there = paths.find((path) => existsSync(path));
  if (there !== undefined && !force) throw new UsageError(`--out ${folder}: ${there} is there; --force replaces it`);
  try {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of files) writeDurably(join(folder, name), text);
  } catch (error) {
    throw new UsageError(`--out ${folder}: cannot be written (${unwritable(error)})`);
  }
  return paths;
}

const hotspotColumns = "when volume name from_utc to_utc from_bin to_bin excess worst peak capacity".split(" ");

function hotspotRows({ instance, planned, before, after }: DayHotspots) {
  const { volumes: names } = namesOf(instance);
  const row = (when: string) => (hotspot: Hotspot) => ({
    volume: hotspot.volume,
    fields: [
      when,
      instance.volumeIds[hotspot.volume],
      names[hotspot.volume],
      clockLabel(hotspot.fromBin, instance),
      clockLabel(hotspot.toBin, instance),
      hotspot.fromBin,
      hotspot.toBin,
      hotspot.excess,
      hotspot.worst,
      hotspot.peak,
      hotspot.capacity,
    ],
  });
  return [...before.map(row("without the plan")), ...(planned ? after.map(row("with the plan")) : [])];
}

function hotspotTable(hotspots: DayHotspots): string {
  return csvText(
    hotspotColumns,
    hotspotRows(hotspots).map(({ fields }) => fields),
  );
}

function hotspotMap(hotspots: DayHotspots): object {
  const said = hotspotRows(hotspots).map(({ volume, fields }) => ({
    volume,
    properties: Object.fromEntries(hotspotColumns.map((column, k) => [column, fields[k]])),
  }));
  return volumeMap(hotspots.instance, said);
}

/** Entries per rolling hour of every volume and bin against its capacity; an empty capacity is no limit. */
function loadTable({ instance, account }: DayHotspots): string {
  const { binCount } = instance;
  const { volumes: names } = namesOf(instance);
  const [before, after] = [account.traffic.before.hourCount, account.traffic.after.hourCount];
  const rows = Array.from(before, (count, cell) => {
    const [volume, bin] = [Math.floor(cell / binCount), cell % binCount];
    const limit = wholeLimit(instance.capacity[cell]);
    return [instance.volumeIds[volume], names[volume], bin, clockLabel(bin, instance), limit, count, after[cell]];
  });
  return csvText(["volume", "name", "bin", "utc", "capacity", "without_plan", "with_plan"], rows);
}

function loadMap({ instance, account }: DayHotspots): object {
  const { binCount } = instance;
  const { volumes: names } = namesOf(instance);
  const row = (values: Int32Array, volume: number): number[] => [
    ...values.subarray(volume * binCount, (volume + 1) * binCount),
  ];
  const said = instance.volumeIds.map((id, volume) => ({
    volume,
    properties: {
      volume: id,
      name: names[volume],
      capacity: [...instance.capacity.subarray(volume * binCount, (volume + 1) * binCount)].map(wholeLimit),
      without_plan: row(account.traffic.before.hourCount, volume),
      with_plan: row(account.traffic.after.hourCount, volume),
    },
  }));
  return volumeMap(instance, said);
}
