import type { Instance } from "./instance.ts";

/** How many groups of a volume become flows of their own unless said otherwise; all others share one more flow. */
const NAMED_FLOWS = 5;

/** The flow of those who belong to none. */
export const OTHER_FLOW = "other";

/**
 * Flows of each volume: the groups with most visits (ties: group name) are flows 0, 1, …, the rest one more. Flights
 * without a group belong to the rest.
 */
export function groupVisits(
  { visitOffset, visitVolume }: Pick<Instance, "visitOffset" | "visitVolume">,
  volumeCount: number,
  groupOf: (flight: number, volume: number) => string | undefined,
  most = NAMED_FLOWS,
): Pick<Instance, "flowNames" | "visitFlow"> {
  const visitsByGroup = Array.from({ length: volumeCount }, () => new Map<string | undefined, number>());
  const groups: (string | undefined)[] = new Array(visitVolume.length);
  for (let flight = 0; flight + 1 < visitOffset.length; flight++) {
    for (let visit = visitOffset[flight]; visit < visitOffset[flight + 1]; visit++) {
      const group = groupOf(flight, visitVolume[visit]);
      const counts = visitsByGroup[visitVolume[visit]];
      counts.set(group, (counts.get(group) ?? 0) + 1);
      groups[visit] = group;
    }
  }
  const named = visitsByGroup.map((counts) =>
    [...counts]
      .flatMap(([group, visits]) => (group === undefined ? [] : [{ group, visits }]))
      .sort((a, b) => b.visits - a.visits || (a.group < b.group ? -1 : 1))
      .slice(0, most)
      .map(({ group }) => group),
  );
  const numbers = named.map((names) => new Map(names.map((name, flow) => [name, flow])));
  const visitFlow = Int16Array.from(groups, (group, visit) => {
    const volume = visitVolume[visit];
    return (group === undefined ? undefined : numbers[volume].get(group)) ?? named[volume].length;
  });
  const flowNames = named.map((names, v) => (visitsByGroup[v].size > names.length ? [...names, OTHER_FLOW] : names));
  return { flowNames, visitFlow };
}

/** What flights can be grouped by. */
export const flowRules = ["origin", "destination", "pair", "airline", "route"] as const;
export type FlowRule = (typeof flowRules)[number];

/** What a flight's flow is called by a rule; undefined where the day does not say. */
export function ruledFlow(day: Instance, rule: FlowRule, flight: number): string | undefined {
  const origin = day.airports[day.flightOrigin[flight]];
  const destination = day.airports[day.flightDestination[flight]];
  if (rule === "origin") return origin;
  if (rule === "destination") return destination === undefined ? undefined : `to ${destination}`;
  if (rule === "airline") return day.airlines[day.flightAirline[flight]];
  if (rule === "route") return day.routes[day.flightRoute[flight]];
  return origin === undefined || destination === undefined ? undefined : `${origin}-${destination}`;
}

/** The same day with its flights grouped in a different way. */
export function regrouped(
  day: Instance,
  groupOf: (flight: number, volume: number) => string | undefined,
  most?: number,
): Instance {
  return { ...day, ...groupVisits(day, day.volumeIds.length, groupOf, most) };
}
