import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";
import { type InputText, markNumericKeys, readJson, unmarkKey } from "../../import/input-text.ts";
import type { BinWindow, Instance } from "../../instance/instance.ts";
import { BLANKET, type ControlMode } from "../../rate-search/rate-model.ts";

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
function requestsOf(entrants: readonly Entrant[]): Entrant[] {
  return [...entrants].sort((a, b) => a.bin - b.bin);
}

/** Flights that are held to one rate together. */
export interface Flow {
  readonly id: string;
  /** Flight indexes. */
  readonly flights: readonly number[];
}

/** A volume and window whose flows may be regulated, each with its own rate or all with one. */
export interface ControlTask {
  readonly volume: number;
  readonly window: BinWindow;
  readonly flows: readonly Flow[];
  readonly mode: ControlMode;
}

/** A flow as a regulation controls it: who enters, and in which order they are listed. */
export interface ControlledFlow {
  readonly id: string;
  readonly requests: readonly Entrant[];
}

/** The flows a task controls: one per flow, or all entrants in one. */
export function controlledFlows(instance: Instance, task: ControlTask): ControlledFlow[] {
  const entrants = task.flows.map((flow) => entrantsOf(instance, task.volume, task.window, flow.flights));
  if (task.mode === "blanket") return [{ id: BLANKET, requests: requestsOf(entrants.flat()) }];
  if (task.mode !== "per_flow")
    throw new UsageError(`mode ${task.mode satisfies never}: it must be per_flow or blanket`);
  return task.flows.map((flow, f) => ({ id: flow.id, requests: requestsOf(entrants[f]) }));
}

/** Flows given by flight id. A map keeps its order; an object puts flows with numbers for names first. */
export function flowsOfIds(
  instance: Instance,
  flows: Readonly<Record<string, readonly string[]>> | ReadonlyMap<string, readonly string[]>,
): Flow[] {
  const index = new Map(instance.flightIds.map((id, flight) => [id, flight]));
  const entries: Iterable<readonly [string, readonly string[]]> = flows instanceof Map ? flows : Object.entries(flows);
  return [...entries].map(([id, flights]) => ({
    id,
    flights: flights.map((name) => {
      const flight = index.get(name);
      if (flight === undefined) {
        throw new UsageError(`flow ${id}: ${instance.name} has no flight ${JSON.stringify(name)}`);
      }
      return flight;
    }),
  }));
}

const shape = z.record(z.string(), z.array(z.string()), {
  error: 'it must be an object from flow to flight ids, { "north": ["BA1", "BA2"] }',
});

/** Reads flows, `{ "flow": ["flight", …] }`, in the order of the file. */
export function readFlowsFile(file: InputText, instance: Instance): Flow[] {
  const flows = readJson(markNumericKeys(file.text), file.source, shape);
  return flowsOfIds(instance, new Map(Object.entries(flows).map(([id, flights]) => [unmarkKey(id), flights])));
}
