import { resolve } from "node:path";
import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";
import { type FlowRule, flowRules, OTHER_FLOW, regrouped, ruledFlow } from "../instance/flows.ts";
import { type Instance, volumeOfId } from "../instance/instance.ts";
import { MAX_FLOWS } from "../network/regulation.ts";
import { hotspotInventory } from "../published/hotspots/inventory.ts";
import { type InputText, oneLine, readInput, readJson } from "./input-text.ts";

/** All but the flow of those who belong to none. */
const MOST_LISTED = MAX_FLOWS - 1;

/** The day with the flows that were chosen: by a rule, as the published planner discovers them, or as lists in a file. */
export function withChosenFlows(day: Instance, choice: string): Instance {
  const rule = flowRules.find((name) => name === choice);
  if (rule !== undefined) return byRule(day, rule);
  if (choice === "discover") return discovered(day);
  if (!/[./]/.test(choice)) {
    throw new UsageError(`--flows ${choice}: it must be ${flowRules.join(", ")}, discover, or a file (JSON)`);
  }
  return listed(day, readInput("--flows", choice));
}

/** A choice that means the same wherever the run is resumed. */
export function recordedFlows(choice: string): string {
  return /[./]/.test(choice) ? resolve(choice) : choice;
}

function byRule(day: Instance, rule: FlowRule): Instance {
  const groups = day.flightIds.map((_, flight) => ruledFlow(day, rule, flight));
  if (groups.every((group) => group === undefined)) {
    throw new UsageError(`--flows ${rule}: no flight of ${day.name} has one; give it as a column of the flight table`);
  }
  return regrouped(day, (flight) => groups[flight]);
}

/** The published discovery: flows of each volume's worst hotspot; other volumes keep everyone in one flow. */
function discovered(day: Instance): Instance {
  const flowOf = new Map<number, Map<number, string>>();
  for (const { volume, flows } of hotspotInventory(day, {
    topHotspots: day.volumeIds.length,
    direction: { mode: "none" },
  })) {
    if (flowOf.has(volume)) continue;
    flowOf.set(volume, new Map(flows.flatMap(({ id, flights }) => flights.map((flight) => [flight, id]))));
  }
  return regrouped(day, (flight, volume) => flowOf.get(volume)?.get(flight), MOST_LISTED);
}

const lists = z.record(z.string(), z.array(z.string()));
const byVolumeShape = z.strictObject({ volumes: z.record(z.string(), lists) });
const fileShape = z.union([byVolumeShape, lists], {
  error: 'give { "flow": ["flight", …] } for all volumes, or { "volumes": { "id": { "flow": ["flight", …] } } }',
});

/** Flows given as lists of flights, for all volumes or volume by volume; who is in none belongs to "other". */
function listed(day: Instance, file: InputText): Instance {
  const content = readJson(file.text, file.source, fileShape);
  const flights = new Map(day.flightIds.map((id, flight) => [id, flight]));
  const read = (flows: Readonly<Record<string, readonly string[]>>, where: string): Map<number, string> => {
    if (Object.keys(flows).length > MOST_LISTED) {
      throw new UsageError(`${where}: ${Object.keys(flows).length} flows; a volume can have ${MOST_LISTED}`);
    }
    if (Object.keys(flows).length === 0) {
      throw new UsageError(`${where}: no flow is given; list at least one, { "flow": ["flight", …] }`);
    }
    const flowOf = new Map<number, string>();
    for (const [flow, ids] of Object.entries(flows)) {
      if (flow === OTHER_FLOW || !oneLine.safeParse(flow).success)
        throw new UsageError(`${where}: a flow cannot be called ${JSON.stringify(flow)}`);
      if (ids.length === 0) throw new UsageError(`${where}: flow ${flow} has no flights`);
      for (const id of ids) {
        const flight = flights.get(id);
        if (flight === undefined) throw new UsageError(`${where}: flow ${flow}: ${day.name} has no flight "${id}"`);
        const already = flowOf.get(flight);
        if (already !== undefined) throw new UsageError(`${where}: flight ${id} is in ${already} and in ${flow}`);
        flowOf.set(flight, flow);
      }
    }
    return flowOf;
  };
  const { data: perVolume } = byVolumeShape.safeParse(content);
  if (perVolume === undefined) {
    const flowOf = read(lists.parse(content), file.source);
    return regrouped(day, (flight) => flowOf.get(flight), MOST_LISTED);
  }
  if (Object.keys(perVolume.volumes).length === 0) throw new UsageError(`${file.source}: "volumes" has no volume`);
  const byVolume = new Map(
    Object.entries(perVolume.volumes).map(([id, flows]) => [volumeOfId(day, id), read(flows, `${file.source}: ${id}`)]),
  );
  return regrouped(day, (flight, volume) => byVolume.get(volume)?.get(flight), MOST_LISTED);
}
