import { UsageError } from "@coppice/engine/usage-error";
import type { Instance } from "../instance/instance.ts";
import { type BinWindow, type Entrant, entrantsOf, requestsOf } from "./entrants.ts";

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

export type ControlMode = "per_flow" | "blanket";

/** Name of the one flow that a blanket rate controls. */
export const BLANKET = "__blanket__";

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

/** Row of a volume by its id. */
export function volumeOfId(instance: Instance, id: string): number {
  const volume = instance.volumeIds.indexOf(id);
  if (volume === -1) {
    const examples = instance.volumeIds.slice(0, 3).join(", ");
    throw new UsageError(
      `${instance.name} has no volume ${JSON.stringify(id)}; it has ${instance.volumeIds.length}: ${examples}, …`,
    );
  }
  return volume;
}
