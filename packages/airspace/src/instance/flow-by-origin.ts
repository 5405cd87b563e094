import type { Instance } from "./instance.ts";

/** How many origin groups of a volume become flows of their own; all others share one more flow. */
const NAMED_FLOWS = 5;

/**
 * Flows of each volume: the five origin groups with most visits (ties: group name) are flows 0..4, the rest flow 5.
 * `groups[f]` is the origin group of flight f.
 */
export function groupByOrigin(
  groups: readonly string[],
  volumeCount: number,
  traffic: Pick<Instance, "visitOffset" | "visitVolume">,
): Pick<Instance, "flowNames" | "visitFlow"> {
  const { visitOffset, visitVolume } = traffic;
  const visitsByGroup = Array.from({ length: volumeCount }, () => new Map<string, number>());
  groups.forEach((group, f) => {
    for (let i = visitOffset[f]; i < visitOffset[f + 1]; i++) {
      const counts = visitsByGroup[visitVolume[i]];
      counts.set(group, (counts.get(group) ?? 0) + 1);
    }
  });
  const named = visitsByGroup.map((counts) =>
    [...counts]
      .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      .slice(0, NAMED_FLOWS)
      .map(([group]) => group),
  );
  const visitFlow = new Int16Array(visitVolume.length);
  groups.forEach((group, f) => {
    for (let i = visitOffset[f]; i < visitOffset[f + 1]; i++) {
      const flow = named[visitVolume[i]].indexOf(group);
      visitFlow[i] = flow === -1 ? NAMED_FLOWS : flow;
    }
  });
  const flowNames = named.map((names, v) => (visitsByGroup[v].size > names.length ? [...names, "other"] : names));
  return { flowNames, visitFlow };
}
