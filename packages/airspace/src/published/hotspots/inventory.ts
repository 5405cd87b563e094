import type { BinWindow, Instance } from "../../instance/instance.ts";
import { entrantsOf, type Flow } from "../scoring/controlled-flows.ts";
import { compareText } from "../scoring/scheduler.ts";
import { type GroupingOptions, groupFlights } from "./flow-groups.ts";
import { hotspotSegments } from "./segments.ts";

export interface InventoryOptions extends GroupingOptions {
  /** Excess above which a bin is hot. Default 0. */
  readonly threshold?: number;
  /** Default 10. */
  readonly topHotspots?: number;
  /** Flows kept per hotspot, besides the one for the remaining flights. Default 4. */
  readonly topFlows?: number;
  /** Smaller groups join the remaining flights. Default 5. */
  readonly minFlightsPerFlow?: number;
  /** Flights kept per flow, in order of id. Default 20. */
  readonly maxFlightsPerFlow?: number;
}

/** A hotspot and the flows that may be regulated there. */
export interface HotspotCandidate {
  readonly volume: number;
  readonly window: BinWindow;
  /** Numbered flows ascending, then named ones. */
  readonly flows: readonly Flow[];
  /** Entrants per bin of the window, for each flow. */
  readonly proxies: readonly (readonly number[])[];
  /** Sum of all proxies. */
  readonly prior: number;
}

/** Finds the worst hotspots and groups their flights into flows, busiest hotspot first. */
export function hotspotInventory(instance: Instance, options: InventoryOptions = {}): HotspotCandidate[] {
  const { threshold = 0, topHotspots = 10 } = options;
  const candidates = hotspotSegments(instance, threshold)
    .slice(0, topHotspots)
    .map((segment) => candidateOf(instance, segment.volume, [segment.startBin, segment.endBin + 1], options));
  return candidates.sort(
    (a, b) =>
      b.prior - a.prior ||
      compareText(instance.volumeIds[a.volume], instance.volumeIds[b.volume]) ||
      a.window[0] - b.window[0],
  );
}

/** The flows of one volume and window. */
export function candidateOf(
  instance: Instance,
  volume: number,
  window: BinWindow,
  options: InventoryOptions = {},
): HotspotCandidate {
  const { topFlows = 4, minFlightsPerFlow = 5, maxFlightsPerFlow = 20 } = options;
  const entering = flightsEntering(instance, volume, window);
  const labels = groupFlights(instance, entering, volume, options);
  const groups = new Map<number, number[]>();
  entering.forEach((flight, i) => {
    const group = groups.get(labels[i]);
    if (group === undefined) groups.set(labels[i], [flight]);
    else group.push(flight);
  });
  const entrantCount = (flights: readonly number[]) => entrantsOf(instance, volume, window, flights).length;
  const kept = [...groups]
    .map(([label, flights]) => ({ label, flights, entrants: entrantCount(flights) }))
    .sort((a, b) => b.entrants - a.entrants || a.label - b.label)
    .filter(({ flights }) => flights.length >= minFlightsPerFlow)
    .slice(0, topFlows)
    .sort((a, b) => a.label - b.label)
    .map(({ label, flights }): Flow => ({ id: String(label), flights: flights.slice(0, maxFlightsPerFlow) }));
  const taken = new Set(kept.flatMap((flow) => flow.flights));
  const remaining = entering.filter((flight) => !taken.has(flight));
  const flows = remaining.length > 0 ? [...kept, { id: "remaining", flights: remaining }] : kept;
  const proxies = flows.map((flow) => {
    const proxy = new Array<number>(window[1] - window[0]).fill(0);
    for (const { bin } of entrantsOf(instance, volume, window, flow.flights)) proxy[bin - window[0]]++;
    return proxy;
  });
  return { volume, window, flows, proxies, prior: proxies.flat().reduce((sum, count) => sum + count, 0) };
}

/** Flights with a visit to the volume in the window, by id. */
function flightsEntering(instance: Instance, volume: number, window: BinWindow): number[] {
  const all = instance.flightIds.map((_, flight) => flight);
  const entering = new Set(entrantsOf(instance, volume, window, all).map(({ flight }) => flight));
  return [...entering].sort((a, b) => compareText(instance.flightIds[a], instance.flightIds[b]));
}
